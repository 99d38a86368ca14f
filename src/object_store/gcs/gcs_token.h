#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/json.h"
#include "core/result.h"
#include "core/time.h"
#include "object_store/http/retry.h"
#include "object_store/internal/environment.h"
#include "object_store/internal/expiring.h"

namespace icefield::object_store {

/// Bearer tokens for Google Cloud Storage, fetched when needed and again before they expire.
/// Thread-safe. The first of these that is set up:
///
///   GOOGLE_APPLICATION_CREDENTIALS  a file: of a service account (a signed assertion is exchanged
///                                   for a token), of a user (a refresh token is), or of a workload
///                                   elsewhere (the token in the file that it names is)
///   GCE_METADATA_HOST               the metadata server there; no other is ever asked
///   STORAGE_EMULATOR_HOST           anonymous access
///   application_default_credentials.json in CLOUDSDK_CONFIG or ~/.config/gcloud, as above
class GcsTokens {
 public:
  GcsTokens(Environment environment, Sending sending)
      : environment_(std::move(environment)), sending_(std::move(sending)) {}

  /// A token for at least a minute; empty for anonymous access. Errors: kPermissionDenied when
  /// nothing is set up or the service refuses, kInvalidArgument for an unusable file.
  core::Result<std::string> get(core::Instant now);

  void forget() { kept_.forget(); }

 private:
  core::Result<BearerToken> fetch(core::Instant now) const;
  core::Result<BearerToken> from_file(const std::string& path, core::Instant now) const;
  core::Result<BearerToken> from_account(const core::Json& account, core::Instant now) const;
  core::Result<BearerToken> from_workload(const core::Json& account, core::Instant now) const;
  core::Result<BearerToken> exchange(const HttpRequest& request, core::Instant now) const;
  static core::Result<BearerToken> read_token(const std::string& url, std::string_view text,
                                              core::Instant now);

  Environment environment_;
  Sending sending_;
  Expiring<BearerToken> kept_;
};

}  // namespace icefield::object_store
