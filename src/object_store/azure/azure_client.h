#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/time.h"
#include "object_store/azure/azure_settings.h"
#include "object_store/azure/azure_token.h"
#include "object_store/http/retry.h"
#include "object_store/http/url.h"
#include "object_store/internal/judged_send.h"
#include "object_store/internal/server_clock.h"

namespace icefield::object_store {

/// One operation of the Blob service on the container (empty key) or a blob.
struct AzureCall {
  std::string method = "GET";
  std::string key = {};
  Query query = {};
  Headers headers = {};  // lower-case names
  std::span<const std::byte> body = {};
  std::uint64_t max_answer = std::uint64_t{1} << 40U;
  bool whole = false;         // a GET of a whole blob: its MD5 is verified where it has one
  bool may_conflict = false;  // 409 is an answer; else it is tried again
};

/// Adds x-ms-date, x-ms-version and, with a shared key, authorization as "Shared Key for Blob"
/// says. `path`: the URL's path, percent-encoded; `query`: decoded.
void sign_azure(HttpRequest& request, const AzureSettings& settings, const std::string& path,
                const Query& query, core::Timestamp now);

/// Addresses, signs and sends calls, again where that helps: with a new token when the service
/// refuses the old one, by its own clock when it refuses the time, after 409, and when the bytes
/// are not those of their MD5. Thread-safe.
class AzureClient {
 public:
  AzureClient(AzureSettings settings, Sending sending);

  /// See send_retrying. Besides its errors: kCorrupt for a body that never had its MD5,
  /// kUnavailable for lasting 409s, those of AzureTokens.
  Sent send(const AzureCall& call) const;
  std::vector<Sent> send_all(std::span<const AzureCall> calls) const;

  /// "az://container/key", for messages.
  std::string name(const std::string& key) const {
    return "az://" + settings_.container + "/" + key;
  }

 private:
  core::Result<HttpRequest> request(const AzureCall& call) const;
  // `was_ahead`: of the clock, when the request was made.
  NextStep judge(const AzureCall& call, std::int64_t was_ahead,
                 core::Result<HttpResponse>& answer) const;

  AzureSettings settings_;
  Sending sending_;
  std::unique_ptr<AzureTokens> tokens_;  // null: key, signature or anonymous
  mutable ServerClock clock_;
};

}  // namespace icefield::object_store
