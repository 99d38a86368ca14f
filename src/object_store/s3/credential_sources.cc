#include "object_store/s3/credential_sources.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/json.h"
#include "object_store/http/url.h"
#include "object_store/internal/iso_time.h"
#include "object_store/internal/secret_fetch.h"
#include "object_store/s3/token_service.h"

namespace icefield::object_store {
namespace {

constexpr std::uint64_t kMostAnswer = 256U << 10U;

core::Error unusable(std::string what) {
  return {core::ErrorCode::kInvalidArgument, std::move(what)};
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
  RoleWanted wanted{.arn = *role};
  if (const auto name = environment("AWS_ROLE_SESSION_NAME")) wanted.session_name = *name;
  TRY_ASSIGN(auto found,
             assume_role_with_web_identity(token_service(environment), *file, wanted, sending));
  return std::optional(std::move(found));
}

core::Result<std::optional<std::string>> container_url(const Environment& environment) {
  if (const auto relative = environment("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI")) {
    return std::optional("http://169.254.170.2" + *relative);
  }
  auto uri = environment("AWS_CONTAINER_CREDENTIALS_FULL_URI");
  if (!uri) return std::optional<std::string>();
  TRY_ASSIGN(const auto url, parse_url(*uri));
  constexpr std::array<std::string_view, 6> kTrusted = {
      "127.0.0.1", "localhost", "[::1]", "169.254.170.2", "169.254.170.23", "[fd00:ec2::23]"};
  auto host = url.authority;
  if (const auto colon = host.rfind(':'); colon != std::string::npos && !host.ends_with(']')) {
    host.erase(colon);
  }
  if (url.scheme == "http" && std::ranges::find(kTrusted, host) == kTrusted.end()) {
    return unusable("AWS_CONTAINER_CREDENTIALS_FULL_URI must be https or on this machine");
  }
  return std::optional(*std::move(uri));
}

FoundCredentials credentials_from_container(const Environment& environment,
                                            const Sending& sending) {
  TRY_ASSIGN(const auto uri, container_url(environment));
  if (!uri) return std::optional<Credentials>();
  auto token = environment("AWS_CONTAINER_AUTHORIZATION_TOKEN");
  if (const auto file = environment("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE")) {
    TRY_ASSIGN(token, read_token_file(*file));
  }
  HttpRequest request{.url = *uri, .max_answer = kMostAnswer};
  if (token) request.headers.push_back({"authorization", *token});
  TRY_ASSIGN(const auto text, fetch_secret(sending, request));
  TRY_ASSIGN(auto found, read_credentials_json(text));
  return std::optional(std::move(found));
}

FoundCredentials credentials_from_instance(const Environment& environment, const Sending& sending,
                                           bool wanted) {
  const auto endpoint = environment("AWS_EC2_METADATA_SERVICE_ENDPOINT");
  const auto disabled = environment("AWS_EC2_METADATA_DISABLED");
  const bool asked_for =
      !is_true(disabled) && (wanted || endpoint || (disabled && *disabled == "false"));
  if (!asked_for) return std::optional<Credentials>();
  auto base = endpoint.value_or("http://169.254.169.254");
  while (base.ends_with('/')) base.pop_back();
  TRY_ASSIGN(const auto session,
             fetch_secret(sending, {.method = "PUT",
                                    .url = base + "/latest/api/token",
                                    .headers = {{"x-aws-ec2-metadata-token-ttl-seconds", "21600"}},
                                    .max_answer = kMostAnswer}));
  const Headers headers = {{"x-aws-ec2-metadata-token", session}};
  const auto roles = base + "/latest/meta-data/iam/security-credentials/";
  TRY_ASSIGN(auto role,
             fetch_secret(sending, {.url = roles, .headers = headers, .max_answer = kMostAnswer}));
  role.erase(std::min(role.find('\n'), role.size()));
  TRY_ASSIGN(
      const auto text,
      fetch_secret(sending, {.url = roles + role, .headers = headers, .max_answer = kMostAnswer}));
  TRY_ASSIGN(auto found, read_credentials_json(text));
  return std::optional(std::move(found));
}

core::Result<Credentials> read_credentials_json(std::string_view json) {
  const auto document = core::Json::parse(json);
  const auto corrupt = core::Error(core::ErrorCode::kCorrupt, "no credentials were given");
  if (!document) return corrupt;  // the parser's text might repeat a part of it
  const auto text = [&document](std::string_view name) -> std::string {
    const auto* const value = document->find(name);
    return value != nullptr && value->is_string() ? value->as_string() : std::string();
  };
  Credentials found{text("AccessKeyId"), text("SecretAccessKey"), text("Token"), std::nullopt};
  if (found.session_token.empty()) found.session_token = text("SessionToken");
  const auto code = text("Code");  // of the instance metadata service
  if (!code.empty() && code != "Success") return corrupt;
  if (found.access_key.empty() || found.secret_key.empty()) return corrupt;
  if (const auto expiration = text("Expiration"); !expiration.empty()) {
    TRY_ASSIGN(found.expires, read_iso_time(expiration));
  }
  return found;
}

}  // namespace icefield::object_store
