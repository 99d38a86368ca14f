#include "object_store/s3/s3_settings.h"

#include <algorithm>
#include <utility>

#include "object_store/http/url.h"
#include "object_store/s3/profile_files.h"

namespace icefield::object_store {
namespace {

bool bucket_can_exist(const std::string& bucket) {
  return bucket.size() >= 3 && bucket.size() <= 255 && std::ranges::all_of(bucket, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '-' || c == '.' || c == '_';
         });
}

std::optional<std::string> first_of(const Environment& environment,
                                    std::initializer_list<const char*> names) {
  for (const auto* name : names) {
    if (auto value = environment(name)) return value;
  }
  return std::nullopt;
}

}  // namespace

core::Result<S3Settings> s3_settings(std::string bucket, const Environment& environment) {
  if (!bucket_can_exist(bucket)) {
    return core::Error(core::ErrorCode::kInvalidArgument, "'" + bucket + "' is no bucket name");
  }
  S3Settings settings{.bucket = std::move(bucket), .endpoint = {}, .region = {}};
  if (is_true(environment("AWS_SKIP_SIGNATURE"))) settings.access = S3Access::kAnonymous;
  const auto profile = [&](const char* name) -> std::optional<std::string> {
    if (settings.access == S3Access::kAnonymous) return std::nullopt;
    return profile_setting(environment, name);
  };
  std::optional<std::string> endpoint;
  if (!is_true(environment("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"))) {
    endpoint = first_of(environment, {"AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"});
    if (!endpoint) endpoint = profile("endpoint_url");
  }
  if (endpoint) {
    TRY_ASSIGN(const auto url, parse_url(*endpoint));
    if (!url.query.empty()) {
      return core::Error(core::ErrorCode::kInvalidArgument, "an S3 endpoint has no query");
    }
    settings.endpoint = url.origin() + url.path;
    while (settings.endpoint.ends_with('/')) settings.endpoint.pop_back();
  }
  auto region = first_of(environment, {"AWS_REGION", "AWS_DEFAULT_REGION"});
  if (!region) region = profile("region");
  settings.region = region.value_or("");
  const bool wants_host = is_true(environment("AWS_VIRTUAL_HOSTED_STYLE_REQUEST"));
  settings.path_style =
      (!settings.endpoint.empty() && !wants_host) || settings.bucket.find('.') != std::string::npos;
  const auto wanted = [&](const char* variable, const char* setting) {
    auto value = environment(variable);
    if (!value) value = profile(setting);
    return !value || (*value != "when_required" && *value != "WHEN_REQUIRED");
  };
  settings.send_checksums =
      wanted("AWS_REQUEST_CHECKSUM_CALCULATION", "request_checksum_calculation");
  settings.verify_checksums =
      wanted("AWS_RESPONSE_CHECKSUM_VALIDATION", "response_checksum_validation");
  return settings;
}

}  // namespace icefield::object_store
