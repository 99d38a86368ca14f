#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "core/result.h"
#include "core/time.h"
#include "object_store/http/retry.h"
#include "object_store/internal/environment.h"

namespace icefield::object_store {

/// Bearer tokens for Google Cloud Storage, fetched when needed and again before they expire.
/// Thread-safe.
///
/// GOOGLE_APPLICATION_CREDENTIALS names a file: of a service account (a signed assertion is
/// exchanged for a token) or of a user (a refresh token is). Without it, the metadata server that
/// GCE_METADATA_HOST names; without that nobody is asked. With STORAGE_EMULATOR_HOST and no file,
/// access is anonymous.
class GcsTokens {
 public:
  GcsTokens(Environment environment, Sending sending)
      : environment_(std::move(environment)), sending_(std::move(sending)) {}

  /// A token for at least a minute; empty for anonymous access. Errors: kPermissionDenied when
  /// nothing is set up or the service refuses, kInvalidArgument for an unusable file.
  core::Result<std::string> get(core::Instant now);

  void forget();

 private:
  struct Token {
    std::string text;
    core::Instant expires;
  };
  core::Result<Token> fetch(core::Instant now) const;
  core::Result<Token> from_file(const std::string& path, core::Instant now) const;
  core::Result<Token> exchange(const HttpRequest& request, core::Instant now) const;

  Environment environment_;
  Sending sending_;
  std::mutex mutex_;  // guards kept_
  std::optional<Token> kept_;
};

}  // namespace icefield::object_store
