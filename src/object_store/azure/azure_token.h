#pragma once

#include <string>

#include "core/result.h"
#include "core/time.h"
#include "object_store/azure/azure_settings.h"
#include "object_store/http/retry.h"
#include "object_store/internal/expiring.h"

namespace icefield::object_store {

/// Bearer tokens of an identity for Azure Storage, fetched when needed and again before they
/// expire. Thread-safe.
class AzureTokens {
 public:
  /// Precondition: the identity is not kNone.
  AzureTokens(AzureIdentity identity, Sending sending)
      : identity_(std::move(identity)), sending_(std::move(sending)) {}

  /// A token for at least a minute. Errors: kPermissionDenied when the service refuses, those of
  /// reading the token file and of the request.
  core::Result<std::string> get(core::Instant now);

  void forget() { kept_.forget(); }

 private:
  core::Result<BearerToken> fetch(core::Instant now) const;
  core::Result<HttpRequest> request(std::string& body) const;

  AzureIdentity identity_;
  Sending sending_;
  Expiring<BearerToken> kept_;
};

}  // namespace icefield::object_store
