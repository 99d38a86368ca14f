#include "object_store/azure/azure_token.h"

#include <chrono>
#include <optional>
#include <utility>

#include "core/json.h"
#include "core/text.h"
#include "object_store/http/url.h"
#include "object_store/internal/secret_fetch.h"

namespace icefield::object_store {
namespace {

constexpr const char* kResource = "https://storage.azure.com/";

// A number, which some of the services write as text.
std::optional<std::uint64_t> number(const core::Json& document, std::string_view name) {
  const auto* const value = document.find(name);
  if (value == nullptr) return std::nullopt;
  if (value->is_string()) return parse_number(value->as_string());
  return value->is_unsigned() ? std::optional(value->as_uint64()) : std::nullopt;
}

}  // namespace

core::Result<std::string> AzureTokens::get(core::Instant now) {
  auto token = kept_.get(now, [&]() -> core::Result<std::optional<BearerToken>> {
    TRY_ASSIGN(auto fetched, fetch(now));
    return std::optional(std::move(fetched));
  });
  if (!token) return std::move(token).error().within("token for Azure Storage");
  return (*token)->text;
}

// Where and how each kind is asked: "OAuth 2.0 client credentials flow", "How to use managed
// identities for App Service", "... on an Azure VM" of Microsoft's identity platform.
core::Result<HttpRequest> AzureTokens::request(std::string& body) const {
  using Kind = AzureIdentity::Kind;
  if (identity_.kind == Kind::kWorkload || identity_.kind == Kind::kSecret) {
    Query form = {{"grant_type", "client_credentials"},
                  {"client_id", identity_.client},
                  {"scope", std::string(kResource) + ".default"}};
    if (identity_.kind == Kind::kSecret) {
      form.emplace_back("client_secret", identity_.secret);
    } else {
      TRY_ASSIGN(auto assertion, read_token_file(identity_.token_file));
      form.emplace_back("client_assertion_type",
                        "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
      form.emplace_back("client_assertion", std::move(assertion));
    }
    body = encode_query(std::move(form));
    return HttpRequest{.method = "POST",
                       .url = identity_.service + "/" + identity_.tenant + "/oauth2/v2.0/token",
                       .headers = {{"content-type", "application/x-www-form-urlencoded"}},
                       .body = core::as_bytes(body)};
  }
  const bool app = identity_.kind == Kind::kAppService;
  Query query = {{"resource", kResource}, {"api-version", app ? "2019-08-01" : "2018-02-01"}};
  if (!identity_.client.empty()) query.emplace_back("client_id", identity_.client);
  const auto path = app ? "" : "/metadata/identity/oauth2/token";
  HttpRequest made{.url = core::text(identity_.service, path, "?", encode_query(std::move(query)))};
  made.headers.push_back(app ? Header{"x-identity-header", identity_.secret}
                             : Header{"metadata", "true"});
  return made;
}

core::Result<BearerToken> AzureTokens::fetch(core::Instant now) const {
  std::string body;
  TRY_ASSIGN(const auto asked, request(body));
  TRY_ASSIGN(const auto text, fetch_secret(sending_, asked));
  const auto document = core::Json::parse(text);  // its Error might repeat a part of the text
  const auto* const token = document ? document->find("access_token") : nullptr;
  if (token == nullptr || !token->is_string() || token->as_string().empty()) {
    return core::Error(core::ErrorCode::kCorrupt, std::string(shown(asked.url)) + " gave no token");
  }
  if (const auto life = number(*document, "expires_in")) {
    return BearerToken{token->as_string(), now + std::chrono::seconds(*life)};
  }
  const auto end = number(*document, "expires_on").value_or(0);
  return BearerToken{token->as_string(), core::Instant(std::chrono::seconds(end))};
}

}  // namespace icefield::object_store
