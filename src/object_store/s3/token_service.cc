#include "object_store/s3/token_service.h"

#include <chrono>
#include <utility>

#include "core/text.h"
#include "object_store/http/url.h"
#include "object_store/internal/digest.h"
#include "object_store/internal/iso_time.h"
#include "object_store/internal/secret_fetch.h"
#include "object_store/internal/server_clock.h"
#include "object_store/internal/xml.h"
#include "object_store/s3/profile_files.h"
#include "object_store/s3/signature_v4.h"

namespace icefield::object_store {
namespace {

constexpr std::uint64_t kMostAnswer = 256U << 10U;

// `action`: the name of the call, on which that of the element around the credentials depends.
core::Result<Credentials> read_answer(std::string_view text, const std::string& action) {
  const auto document = parse_xml(text);  // its Error might repeat a part of the text
  const auto* const result = document ? document->child(action + "Result") : nullptr;
  const auto* const found = result == nullptr ? nullptr : result->child("Credentials");
  if (found == nullptr || found->text_of("AccessKeyId").empty() ||
      found->text_of("SecretAccessKey").empty()) {
    return core::Error(core::ErrorCode::kCorrupt, "the token service's answer has no credentials");
  }
  TRY_ASSIGN(const auto expires, read_iso_time(found->text_of("Expiration")));
  return Credentials{std::string(found->text_of("AccessKeyId")),
                     std::string(found->text_of("SecretAccessKey")),
                     std::string(found->text_of("SessionToken")), expires};
}

Query query_of(const std::string& action, const RoleWanted& role) {
  Query query = {{"Action", action},
                 {"Version", "2011-06-15"},
                 {"RoleArn", role.arn},
                 {"RoleSessionName", role.session_name}};
  if (!role.external_id.empty()) query.emplace_back("ExternalId", role.external_id);
  if (!role.duration_seconds.empty()) query.emplace_back("DurationSeconds", role.duration_seconds);
  return query;
}

HttpRequest request_of(const TokenService& service, const std::string& body) {
  return {.method = "POST",
          .url = service.url,
          .headers = {{"content-type", "application/x-www-form-urlencoded; charset=utf-8"}},
          .body = core::as_bytes(body),
          .max_answer = kMostAnswer};
}

}  // namespace

TokenService token_service(const Environment& environment) {
  auto region = environment("AWS_REGION");
  if (!region) region = environment("AWS_DEFAULT_REGION");
  if (!region) region = profile_setting(environment, "region");
  std::optional<std::string> url;
  if (!is_true(environment("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"))) {
    url = environment("AWS_ENDPOINT_URL_STS");
    if (!url) url = environment("AWS_ENDPOINT_URL");
  }
  if (!url) {
    const bool china = region && region->starts_with("cn-");
    url = core::text("https://sts.", region ? *region + "." : "", "amazonaws.com",
                     china ? ".cn" : "");
  }
  if (!url->ends_with('/')) *url += '/';
  return {*std::move(url), region.value_or("us-east-1")};
}

core::Result<Credentials> assume_role_with_web_identity(const TokenService& service,
                                                        const std::string& token_file,
                                                        const RoleWanted& role,
                                                        const Sending& sending) {
  TRY_ASSIGN(auto token, read_token_file(token_file));
  const std::string action = "AssumeRoleWithWebIdentity";
  auto query = query_of(action, role);
  query.emplace_back("WebIdentityToken", std::move(token));
  const auto body = encode_query(std::move(query));
  TRY_ASSIGN(const auto text, fetch_secret(sending, request_of(service, body)));
  return read_answer(text, action);
}

core::Result<Credentials> assume_role(const TokenService& service, const Credentials& source,
                                      const RoleWanted& role, const Sending& sending) {
  const std::string action = "AssumeRole";
  const auto body = encode_query(query_of(action, role));
  ServerClock clock;
  const auto ask = [&] {
    return ask_for_secret(sending, [&](int /*attempt*/) {
      auto request = request_of(service, body);
      sign_v4(request, source, {.region = service.region, .service = "sts"},
              hex(sha256(request.body)), std::chrono::floor<std::chrono::seconds>(clock.now()));
      return request;
    });
  };
  TRY_ASSIGN(auto answer, ask());
  if (answer.status != 200 &&
      clock.set_by(answer, 0)) {  // signed at a time that is not the service's
    TRY_ASSIGN(answer, ask());
  }
  TRY_ASSIGN(const auto text, secret_text(service.url, answer));
  return read_answer(text, action);
}

}  // namespace icefield::object_store
