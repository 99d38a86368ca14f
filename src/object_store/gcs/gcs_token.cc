#include "object_store/gcs/gcs_token.h"

#include <chrono>
#include <utility>

#include "core/file.h"
#include "core/json.h"
#include "core/text.h"
#include "object_store/http/url.h"
#include "object_store/internal/digest.h"

namespace icefield::object_store {
namespace {

constexpr const char* kScope = "https://www.googleapis.com/auth/devstorage.read_write";
constexpr const char* kTokenService = "https://oauth2.googleapis.com/token";
constexpr std::chrono::minutes kFetchedAnewBefore{5};
constexpr std::chrono::seconds kAssertionLife{3600};

std::string text_of(const core::Json& document, std::string_view name) {
  const auto* const value = document.find(name);
  return value != nullptr && value->is_string() ? value->as_string() : std::string();
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
  const std::lock_guard lock(mutex_);
  if (kept_ && kept_->expires - now > kFetchedAnewBefore) return kept_->text;
  TRY_ASSIGN(kept_, fetch(now));
  return kept_->text;
}

void GcsTokens::forget() {
  const std::lock_guard lock(mutex_);
  kept_.reset();
}

core::Result<GcsTokens::Token> GcsTokens::fetch(core::Instant now) const {
  if (const auto file = environment_("GOOGLE_APPLICATION_CREDENTIALS")) {
    return from_file(*file, now);
  }
  if (const auto host = environment_("GCE_METADATA_HOST")) {
    return exchange(
        {.url = "http://" + *host + "/computeMetadata/v1/instance/service-accounts/default/token",
         .headers = {{"metadata-flavor", "Google"}}},
        now);
  }
  if (environment_("STORAGE_EMULATOR_HOST")) return Token{"", core::Instant::max()};
  return core::Error(core::ErrorCode::kPermissionDenied,
                     "no credentials for gs://: set GOOGLE_APPLICATION_CREDENTIALS, or "
                     "GCE_METADATA_HOST for the instance's own, or ask for anonymous access");
}

core::Result<GcsTokens::Token> GcsTokens::from_file(const std::string& path,
                                                    core::Instant now) const {
  TRY_ASSIGN(const auto bytes, core::read_file(path));
  const auto unusable =
      core::Error(core::ErrorCode::kInvalidArgument, path + " holds no usable credentials");
  const auto document = core::Json::parse(core::as_text(bytes));
  if (!document) return unusable;  // the parser's text might repeat a part of the file
  const auto kind = text_of(*document, "type");
  auto service = text_of(*document, "token_uri");
  if (service.empty()) service = kTokenService;
  std::string body;
  if (kind == "service_account") {
    TRY_ASSIGN(const auto assertion, signed_assertion(*document, service, now));
    body = encode_query(
        {{"grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"}, {"assertion", assertion}});
  } else if (kind == "authorized_user") {
    body = encode_query({{"grant_type", "refresh_token"},
                         {"client_id", text_of(*document, "client_id")},
                         {"client_secret", text_of(*document, "client_secret")},
                         {"refresh_token", text_of(*document, "refresh_token")}});
  } else {
    return unusable;
  }
  return exchange({.method = "POST",
                   .url = service,
                   .headers = {{"content-type", "application/x-www-form-urlencoded"}},
                   .body = core::as_bytes(body)},
                  now);
}

core::Result<GcsTokens::Token> GcsTokens::exchange(const HttpRequest& request,
                                                   core::Instant now) const {
  const auto sent = send_retrying(sending_, [&request](int /*attempt*/) { return request; });
  if (!sent.answer) return sent.answer.error();
  TRY_ASSIGN(const auto url, parse_url(request.url));
  if (sent.answer->status != 200) {  // the body may repeat the assertion
    return core::Error(core::ErrorCode::kPermissionDenied,
                       core::text("token from ", url.origin(), ": status ", sent.answer->status));
  }
  const auto document = core::Json::parse(core::as_text(sent.answer->body));
  const auto* const life = document ? document->find("expires_in") : nullptr;
  auto token = document ? text_of(*document, "access_token") : std::string();
  if (token.empty() || life == nullptr || !life->is_integer()) {
    return core::Error(core::ErrorCode::kCorrupt, url.origin() + " gave no token");
  }
  return Token{std::move(token), now + std::chrono::seconds(life->as_int64())};
}

}  // namespace icefield::object_store
