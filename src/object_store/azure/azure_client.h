#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/bytes.h"
#include "core/result.h"
#include "core/time.h"
#include "object_store/http/retry.h"
#include "object_store/http/url.h"
#include "object_store/internal/environment.h"

namespace icefield::object_store {

/// Where a container is and who asks. At most one of key and token is set; neither: anonymous.
struct AzureSettings {
  std::string account;
  std::string container;
  std::string endpoint;    // "https://account.blob.core.windows.net", without '/' at the end
  core::Bytes key = {};    // shared key
  std::string token = {};  // shared access signature, a query without '?'
};

/// Settings by AZURE_STORAGE_ACCOUNT_NAME, AZURE_STORAGE_ENDPOINT, and AZURE_STORAGE_ACCOUNT_KEY or
/// AZURE_STORAGE_SAS_TOKEN. Errors: kInvalidArgument, never with a secret.
core::Result<AzureSettings> azure_settings(std::string container, const Environment& environment);

/// One operation of the Blob service on the container (empty key) or a blob.
struct AzureCall {
  std::string method = "GET";
  std::string key = {};
  Query query = {};
  Headers headers = {};  // lower-case names
  std::span<const std::byte> body = {};
  std::uint64_t max_answer = std::uint64_t{1} << 40U;
};

/// Adds x-ms-date, x-ms-version and, with a shared key, authorization as "Shared Key for Blob"
/// says. `path`: the URL's path, percent-encoded; `query`: decoded.
void sign_azure(HttpRequest& request, const AzureSettings& settings, const std::string& path,
                const Query& query, core::Timestamp now);

/// Addresses, signs and sends calls. Thread-safe.
class AzureClient {
 public:
  AzureClient(AzureSettings settings, Sending sending)
      : settings_(std::move(settings)), sending_(std::move(sending)) {}

  Sent send(const AzureCall& call) const;
  std::vector<core::Result<HttpResponse>> send_all(std::span<const AzureCall> calls) const;

  /// "az://container/key", for messages.
  std::string name(const std::string& key) const {
    return "az://" + settings_.container + "/" + key;
  }

 private:
  HttpRequest request(const AzureCall& call) const;

  AzureSettings settings_;
  Sending sending_;
};

}  // namespace icefield::object_store
