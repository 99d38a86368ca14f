#include "object_store/gcs/gcs_token.h"

#include <chrono>
#include <filesystem>
#include <optional>
#include <utility>

#include "core/file.h"
#include "object_store/http/url.h"
#include "object_store/internal/digest.h"
#include "object_store/internal/iso_time.h"
#include "object_store/internal/secret_fetch.h"
#include "object_store/internal/server_clock.h"

namespace icefield::object_store {
namespace {

constexpr const char* kScope = "https://www.googleapis.com/auth/devstorage.read_write";
constexpr const char* kTokenService = "https://oauth2.googleapis.com/token";
constexpr std::chrono::seconds kAssertionLife{3600};

std::string text_of(const core::Json& document, std::string_view name) {
  const auto* const value = document.find(name);
  return value != nullptr && value->is_string() ? value->as_string() : std::string();
}

std::string token_uri(const core::Json& account) {
  auto uri = text_of(account, "token_uri");
  return uri.empty() ? kTokenService : std::move(uri);
}

HttpRequest form(const std::string& url, const std::string& body) {
  return {.method = "POST",
          .url = url,
          .headers = {{"content-type", "application/x-www-form-urlencoded"}},
          .body = core::as_bytes(body)};
}

core::Result<std::string> signed_assertion(const core::Json& account, const std::string& service,
                                           core::Instant now) {
  const auto at = std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count();
  const auto claims = core::Json::object({{"iss", text_of(account, "client_email")},
                                          {"scope", kScope},
                                          {"aud", service},
                                          {"iat", std::int64_t{at}},
                                          {"exp", std::int64_t{at + kAssertionLife.count()}}});
  const auto header = core::Json::object({{"alg", "RS256"}, {"typ", "JWT"}});
  const auto body =
      base64_url(core::as_bytes(header.dump())) + "." + base64_url(core::as_bytes(claims.dump()));
  TRY_ASSIGN(const auto signature, sign_rs256(text_of(account, "private_key"), body));
  return body + "." + base64_url(signature);
}

}  // namespace

core::Result<std::string> GcsTokens::get(core::Instant now) {
  auto token = kept_.get(now, [&]() -> core::Result<std::optional<BearerToken>> {
    TRY_ASSIGN(auto fetched, fetch(now));
    return std::optional(std::move(fetched));
  });
  if (!token) return std::move(token).error();
  return (*token)->text;
}

core::Result<BearerToken> GcsTokens::fetch(core::Instant now) const {
  if (const auto file = environment_("GOOGLE_APPLICATION_CREDENTIALS")) {
    return from_file(*file, now);
  }
  if (const auto host = environment_("GCE_METADATA_HOST")) {
    return exchange(
        {.url = "http://" + *host + "/computeMetadata/v1/instance/service-accounts/default/token",
         .headers = {{"metadata-flavor", "Google"}}},
        now);
  }
  if (environment_("STORAGE_EMULATOR_HOST")) return BearerToken{"", core::Instant::max()};
  const auto folder =
      environment_("CLOUDSDK_CONFIG")
          .value_or(environment_("HOME").value_or("/nonexistent") + "/.config/gcloud");
  const auto file = folder + "/application_default_credentials.json";
  if (std::error_code failed; std::filesystem::exists(file, failed)) return from_file(file, now);
  return core::Error(
      core::ErrorCode::kPermissionDenied,
      "no credentials for gs://: set GOOGLE_APPLICATION_CREDENTIALS, or "
      "GCE_METADATA_HOST=metadata.google.internal for the instance's own, or ask for "
      "anonymous access");
}

core::Result<BearerToken> GcsTokens::from_file(const std::string& path, core::Instant now) const {
  TRY_ASSIGN(const auto bytes, core::read_file(path));
  const auto unusable =
      core::Error(core::ErrorCode::kInvalidArgument, path + " holds no usable credentials");
  const auto document = core::Json::parse(core::as_text(bytes));
  if (!document) return unusable;  // the parser's text might repeat a part of the file
  const auto kind = text_of(*document, "type");
  if (kind == "service_account") return from_account(*document, now);
  if (kind == "external_account") return from_workload(*document, now);
  if (kind != "authorized_user") return unusable;
  const auto body = encode_query({{"grant_type", "refresh_token"},
                                  {"client_id", text_of(*document, "client_id")},
                                  {"client_secret", text_of(*document, "client_secret")},
                                  {"refresh_token", text_of(*document, "refresh_token")}});
  return exchange(form(token_uri(*document), body), now);
}

core::Result<BearerToken> GcsTokens::from_account(const core::Json& account,
                                                  core::Instant now) const {
  const auto service = token_uri(account);
  ServerClock clock;
  std::string body;
  const auto ask = [&]() -> core::Result<HttpResponse> {
    TRY_ASSIGN(const auto assertion, signed_assertion(account, service, clock.now()));
    body = encode_query(
        {{"grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"}, {"assertion", assertion}});
    return ask_for_secret(sending_, [&](int /*attempt*/) { return form(service, body); });
  };
  TRY_ASSIGN(auto answer, ask());
  if (answer.status == 400 &&
      clock.set_by(answer, 0)) {  // issued at a time that is not the service's
    TRY_ASSIGN(answer, ask());
  }
  TRY_ASSIGN(const auto text, secret_text(service, answer));
  return read_token(service, text, now);
}

// RFC 8693: the workload's own token for one of Google's, and that, where the file says so, for one
// of a service account.
core::Result<BearerToken> GcsTokens::from_workload(const core::Json& account,
                                                   core::Instant now) const {
  const auto* const source = account.find("credential_source");
  const auto file = source == nullptr ? std::string() : text_of(*source, "file");
  if (file.empty()) {
    return core::Error(core::ErrorCode::kUnsupported,
                       "credentials of a workload whose token is in no file");
  }
  TRY_ASSIGN(auto token, read_token_file(file));
  const auto* const format = source->find("format");
  if (format != nullptr && text_of(*format, "type") == "json") {
    const auto document = core::Json::parse(token);
    token = document ? text_of(*document, text_of(*format, "subject_token_field_name")) : "";
  }
  const auto impersonated = text_of(account, "service_account_impersonation_url");
  const auto body = encode_query(
      {{"grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"},
       {"audience", text_of(account, "audience")},
       {"scope", impersonated.empty() ? kScope : "https://www.googleapis.com/auth/cloud-platform"},
       {"requested_token_type", "urn:ietf:params:oauth:token-type:access_token"},
       {"subject_token", token},
       {"subject_token_type", text_of(account, "subject_token_type")}});
  TRY_ASSIGN(auto exchanged, exchange(form(text_of(account, "token_url"), body), now));
  if (impersonated.empty()) return exchanged;
  const auto wanted = core::Json::object({{"scope", core::Json::array({kScope})}}).dump();
  TRY_ASSIGN(const auto text,
             fetch_secret(sending_, {.method = "POST",
                                     .url = impersonated,
                                     .headers = {{"content-type", "application/json"},
                                                 {"authorization", "Bearer " + exchanged.text}},
                                     .body = core::as_bytes(wanted)}));
  const auto document = core::Json::parse(text);
  BearerToken made{document ? text_of(*document, "accessToken") : "", now};
  if (made.text.empty()) {
    return core::Error(core::ErrorCode::kCorrupt, "the service account gave no token");
  }
  TRY_ASSIGN(made.expires, read_iso_time(text_of(*document, "expireTime")));
  return made;
}

core::Result<BearerToken> GcsTokens::exchange(const HttpRequest& request, core::Instant now) const {
  TRY_ASSIGN(const auto text, fetch_secret(sending_, request));
  return read_token(request.url, text, now);
}

core::Result<BearerToken> GcsTokens::read_token(const std::string& url, std::string_view text,
                                                core::Instant now) {
  const auto document = core::Json::parse(text);
  const auto* const life = document ? document->find("expires_in") : nullptr;
  auto token = document ? text_of(*document, "access_token") : std::string();
  if (token.empty() || life == nullptr || !life->is_integer()) {
    return core::Error(core::ErrorCode::kCorrupt, std::string(shown(url)) + " gave no token");
  }
  return BearerToken{std::move(token), now + std::chrono::seconds(life->as_int64())};
}

}  // namespace icefield::object_store
