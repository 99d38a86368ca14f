#pragma once

#include <mutex>
#include <optional>
#include <string>

#include "core/result.h"
#include "core/time.h"
#include "object_store/azure/azure_settings.h"
#include "object_store/http/retry.h"

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

  void forget();

 private:
  struct Token {
    std::string text;
    core::Instant expires;
  };
  core::Result<Token> fetch(core::Instant now) const;
  core::Result<HttpRequest> request(std::string& body) const;

  AzureIdentity identity_;
  Sending sending_;
  std::mutex mutex_;  // guards kept_ and not_before_
  std::optional<Token> kept_;
  core::Instant not_before_{};  // of the next fetch while kept_ is still good
};

}  // namespace icefield::object_store
