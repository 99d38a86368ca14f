#include "object_store/azure/azure_client.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <utility>

#include "core/text.h"
#include "object_store/internal/digest.h"
#include "object_store/internal/percent.h"

namespace icefield::object_store {
namespace {

constexpr const char* kServiceVersion = "2021-12-02";

core::Error unusable(const std::string& why) {
  return {core::ErrorCode::kInvalidArgument, why};
}

std::string encoded_path(const std::string& key) {
  std::string out;
  for (const auto& segment : core::split(key, '/')) out += "/" + percent_encode_all(segment);
  return out;
}

}  // namespace

core::Result<AzureSettings> azure_settings(std::string container, const Environment& environment) {
  const bool can_exist =
      container.size() >= 3 && container.size() <= 63 && std::ranges::all_of(container, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '$';
      });
  if (!can_exist) return unusable("'" + container + "' is no container name");
  AzureSettings settings{.account = environment("AZURE_STORAGE_ACCOUNT_NAME").value_or(""),
                         .container = std::move(container),
                         .endpoint = environment("AZURE_STORAGE_ENDPOINT").value_or("")};
  if (settings.account.empty()) return unusable("AZURE_STORAGE_ACCOUNT_NAME is not set");
  if (settings.endpoint.empty()) {
    settings.endpoint = "https://" + settings.account + ".blob.core.windows.net";
  }
  while (settings.endpoint.ends_with('/')) settings.endpoint.pop_back();
  TRY(parse_url(settings.endpoint));
  if (const auto key = environment("AZURE_STORAGE_ACCOUNT_KEY")) {
    auto decoded = decode_base64(*key);
    if (!decoded) return unusable("AZURE_STORAGE_ACCOUNT_KEY is not base64");
    settings.key = *std::move(decoded);
  } else if (auto token = environment("AZURE_STORAGE_SAS_TOKEN")) {
    settings.token = token->starts_with('?') ? token->substr(1) : *std::move(token);
  }
  return settings;
}

void sign_azure(HttpRequest& request, const AzureSettings& settings, const std::string& path,
                const Query& query, core::Timestamp now) {
  request.headers.push_back({"x-ms-date", format_http_date(now)});
  request.headers.push_back({"x-ms-version", kServiceVersion});
  if (settings.key.empty()) return;
  std::map<std::string, std::string> headers;
  for (const auto& [name, value] : request.headers) headers[name] = value;
  constexpr std::array<std::string_view, 11> kStandard = {"content-encoding",
                                                          "content-language",
                                                          "content-length",
                                                          "content-md5",
                                                          "content-type",
                                                          "date",
                                                          "if-modified-since",
                                                          "if-match",
                                                          "if-none-match",
                                                          "if-unmodified-since",
                                                          "range"};
  std::string to_sign = request.method + "\n";
  for (const auto name : kStandard) {
    if (name == "content-length") {
      if (!request.body.empty()) to_sign += std::to_string(request.body.size());
    } else if (const auto at = headers.find(std::string(name)); at != headers.end()) {
      to_sign += at->second;
    }
    to_sign += "\n";
  }
  for (const auto& [name, value] : headers) {
    if (name.starts_with("x-ms-")) to_sign += core::text(name, ":", value, "\n");
  }
  to_sign += "/" + settings.account + path;
  auto sorted = query;
  std::ranges::sort(sorted);
  for (const auto& [name, value] : sorted) to_sign += core::text("\n", name, ":", value);
  request.headers.push_back(
      {"authorization", core::text("SharedKey ", settings.account, ":",
                                   base64(hmac_sha256(settings.key, to_sign)))});
}

HttpRequest AzureClient::request(const AzureCall& call) const {
  HttpRequest made{.method = call.method,
                   .url = settings_.endpoint + "/" + settings_.container,
                   .headers = call.headers,
                   .body = call.body,
                   .max_answer = call.max_answer};
  if (!call.key.empty()) made.url += encoded_path(call.key);
  const auto path = made.url.substr(made.url.find('/', made.url.find("://") + 3));
  auto query = encode_query(call.query);
  if (!settings_.token.empty()) query += (query.empty() ? "" : "&") + settings_.token;
  if (!query.empty()) made.url += "?" + query;
  sign_azure(made, settings_, path, call.query,
             std::chrono::floor<std::chrono::seconds>(core::system_now()));
  return made;
}

Sent AzureClient::send(const AzureCall& call) const {
  return send_retrying(sending_, [&](int /*attempt*/) { return request(call); });
}

std::vector<core::Result<HttpResponse>> AzureClient::send_all(
    std::span<const AzureCall> calls) const {
  return send_all_retrying(sending_, calls.size(), [&](std::size_t item, int /*attempt*/) {
    return core::Result(request(calls[item]));
  });
}

}  // namespace icefield::object_store
