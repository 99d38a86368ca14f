#include "object_store/s3/credential_sources.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/file.h"
#include "core/json.h"
#include "core/text.h"
#include "object_store/http/url.h"
#include "object_store/internal/iso_time.h"
#include "object_store/internal/xml.h"

namespace icefield::object_store {
namespace {

constexpr std::uint64_t kMostAnswer = 256U << 10U;

core::Error unusable(std::string what) {
  return {core::ErrorCode::kInvalidArgument, std::move(what)};
}

// The body of a 200 answer. Others are errors that do not repeat the body: it may hold secrets.
core::Result<std::string> fetch_text(const Sending& sending, const HttpRequest& request) {
  auto sent = send_retrying(sending, [&request](int /*attempt*/) { return request; });
  if (!sent.answer) return std::move(sent.answer).error();
  if (sent.answer->status != 200) {
    return core::Error(core::ErrorCode::kPermissionDenied,
                       core::text(parse_url(request.url)->origin(), " answered with status ",
                                  sent.answer->status));
  }
  return std::string(core::as_text(sent.answer->body));
}

core::Result<std::string> token_file(const std::string& path) {
  TRY_ASSIGN(const auto bytes, core::read_file(path));
  std::string text(core::as_text(bytes));
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text;
}

}  // namespace

FoundCredentials credentials_from_variables(const Environment& environment) {
  const auto key = environment("AWS_ACCESS_KEY_ID");
  const auto secret = environment("AWS_SECRET_ACCESS_KEY");
  if (!key && !secret) return std::optional<Credentials>();
  if (!key || !secret) {
    return unusable("AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must both be set");
  }
  return std::optional(
      Credentials{*key, *secret, environment("AWS_SESSION_TOKEN").value_or(""), std::nullopt});
}

FoundCredentials credentials_from_web_identity(const Environment& environment,
                                               const Sending& sending) {
  const auto file = environment("AWS_WEB_IDENTITY_TOKEN_FILE");
  const auto role = environment("AWS_ROLE_ARN");
  if (!file || !role) return std::optional<Credentials>();
  TRY_ASSIGN(const auto token, token_file(*file));
  auto region = environment("AWS_REGION");
  if (!region) region = environment("AWS_DEFAULT_REGION");
  const auto service = environment("AWS_ENDPOINT_URL_STS")
                           .value_or(region ? "https://sts." + *region + ".amazonaws.com"
                                            : "https://sts.amazonaws.com");
  const auto body =
      encode_query({{"Action", "AssumeRoleWithWebIdentity"},
                    {"Version", "2011-06-15"},
                    {"RoleArn", *role},
                    {"RoleSessionName", environment("AWS_ROLE_SESSION_NAME").value_or("icefield")},
                    {"WebIdentityToken", token}});
  TRY_ASSIGN(
      const auto text,
      fetch_text(sending, {.method = "POST",
                           .url = service + (service.ends_with('/') ? "" : "/"),
                           .headers = {{"content-type", "application/x-www-form-urlencoded"}},
                           .body = core::as_bytes(body),
                           .max_answer = kMostAnswer}));
  TRY_ASSIGN(const auto document, parse_xml(text));
  const auto* const result = document.child("AssumeRoleWithWebIdentityResult");
  const auto* const found = result == nullptr ? nullptr : result->child("Credentials");
  if (found == nullptr || found->text_of("AccessKeyId").empty()) {
    return core::Error(core::ErrorCode::kCorrupt, "the token service's answer has no credentials");
  }
  TRY_ASSIGN(const auto expires, read_iso_time(found->text_of("Expiration")));
  return std::optional(Credentials{std::string(found->text_of("AccessKeyId")),
                                   std::string(found->text_of("SecretAccessKey")),
                                   std::string(found->text_of("SessionToken")), expires});
}

FoundCredentials credentials_from_container(const Environment& environment,
                                            const Sending& sending) {
  auto uri = environment("AWS_CONTAINER_CREDENTIALS_FULL_URI");
  if (const auto relative = environment("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI")) {
    uri = "http://169.254.170.2" + *relative;
  }
  if (!uri) return std::optional<Credentials>();
  TRY_ASSIGN(const auto url, parse_url(*uri));
  constexpr std::array<std::string_view, 5> kTrusted = {"127.0.0.1", "localhost", "[::1]",
                                                        "169.254.170.2", "169.254.170.23"};
  auto host = url.authority;
  if (const auto colon = host.rfind(':'); colon != std::string::npos && !host.ends_with(']')) {
    host.erase(colon);
  }
  if (url.scheme == "http" && std::ranges::find(kTrusted, host) == kTrusted.end()) {
    return unusable("AWS_CONTAINER_CREDENTIALS_FULL_URI must be https or on this machine");
  }
  auto token = environment("AWS_CONTAINER_AUTHORIZATION_TOKEN");
  if (const auto file = environment("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE")) {
    TRY_ASSIGN(token, token_file(*file));
  }
  HttpRequest request{.url = *uri, .max_answer = kMostAnswer};
  if (token) request.headers.push_back({"authorization", *token});
  TRY_ASSIGN(const auto text, fetch_text(sending, request));
  TRY_ASSIGN(auto found, read_credentials_json(text));
  return std::optional(std::move(found));
}

FoundCredentials credentials_from_instance(const Environment& environment, const Sending& sending) {
  const auto endpoint = environment("AWS_EC2_METADATA_SERVICE_ENDPOINT");
  const auto disabled = environment("AWS_EC2_METADATA_DISABLED");
  const bool asked_for = (endpoint && !is_true(disabled)) || (disabled && *disabled == "false");
  if (!asked_for) return std::optional<Credentials>();
  auto base = endpoint.value_or("http://169.254.169.254");
  while (base.ends_with('/')) base.pop_back();
  TRY_ASSIGN(const auto session,
             fetch_text(sending, {.method = "PUT",
                                  .url = base + "/latest/api/token",
                                  .headers = {{"x-aws-ec2-metadata-token-ttl-seconds", "21600"}},
                                  .max_answer = kMostAnswer}));
  const Headers headers = {{"x-aws-ec2-metadata-token", session}};
  const auto roles = base + "/latest/meta-data/iam/security-credentials/";
  TRY_ASSIGN(auto role,
             fetch_text(sending, {.url = roles, .headers = headers, .max_answer = kMostAnswer}));
  role.erase(std::min(role.find('\n'), role.size()));
  TRY_ASSIGN(
      const auto text,
      fetch_text(sending, {.url = roles + role, .headers = headers, .max_answer = kMostAnswer}));
  TRY_ASSIGN(auto found, read_credentials_json(text));
  return std::optional(std::move(found));
}

core::Result<Credentials> read_credentials_json(std::string_view json) {
  const auto document = core::Json::parse(json);
  const auto corrupt = core::Error(core::ErrorCode::kCorrupt, "the endpoint gave no credentials");
  if (!document) return corrupt;
  const auto text = [&document](std::string_view name) -> std::string {
    const auto* const value = document->find(name);
    return value != nullptr && value->is_string() ? value->as_string() : std::string();
  };
  Credentials found{text("AccessKeyId"), text("SecretAccessKey"), text("Token"), std::nullopt};
  if (found.access_key.empty() || found.secret_key.empty()) return corrupt;
  if (const auto expiration = text("Expiration"); !expiration.empty()) {
    TRY_ASSIGN(found.expires, read_iso_time(expiration));
  }
  return found;
}

}  // namespace icefield::object_store
