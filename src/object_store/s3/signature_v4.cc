#include "object_store/s3/signature_v4.h"

#include <algorithm>
#include <map>
#include <span>

#include "core/text.h"
#include "object_store/http/url.h"
#include "object_store/internal/digest.h"

namespace icefield::object_store {
namespace {

constexpr std::string_view kAlgorithm = "AWS4-HMAC-SHA256";

// "20250801T000000Z"
std::string basic_time(core::Timestamp at) {
  auto text = core::format_timestamp(at);
  std::erase_if(text, [](char c) { return c == '-' || c == ':'; });
  return text + "Z";
}

bool is_signed(std::string_view name) {
  return name.starts_with("x-amz-") || name == "content-md5" || name == "host";
}

Sha256 signing_key(const Credentials& credentials, const SigningScope& scope,
                   std::string_view day) {
  const auto secret = "AWS4" + credentials.secret_key;
  Sha256 key = hmac_sha256(core::as_bytes(secret), day);
  key = hmac_sha256(key, scope.region);
  key = hmac_sha256(key, scope.service);
  return hmac_sha256(key, "aws4_request");
}

}  // namespace

void sign_v4(HttpRequest& request, const Credentials& credentials, const SigningScope& scope,
             std::string_view payload_hash, core::Timestamp now) {
  const auto url = parse_url(request.url);
  if (!url) return;  // the transport will say so
  const auto time = basic_time(now);
  const auto day = time.substr(0, 8);
  request.headers.push_back({"x-amz-date", time});
  request.headers.push_back({"x-amz-content-sha256", std::string(payload_hash)});
  if (!credentials.session_token.empty()) {
    request.headers.push_back({"x-amz-security-token", credentials.session_token});
  }
  std::map<std::string, std::string> headers = {{"host", url->authority}};
  for (const auto& [name, value] : request.headers) {
    if (is_signed(name)) headers[name] = value;
  }
  std::string canonical_headers;
  std::string names;
  for (const auto& [name, value] : headers) {
    canonical_headers += core::text(name, ":", value, "\n");
    names += core::text(names.empty() ? "" : ";", name);
  }
  const auto canonical =
      core::text(request.method, "\n", url->path.empty() ? "/" : url->path, "\n", url->query, "\n",
                 canonical_headers, "\n", names, "\n", payload_hash);
  const auto credential_scope =
      core::text(day, "/", scope.region, "/", scope.service, "/aws4_request");
  const auto to_sign = core::text(kAlgorithm, "\n", time, "\n", credential_scope, "\n",
                                  hex(sha256(core::as_bytes(canonical))));
  const auto signature = hex(hmac_sha256(signing_key(credentials, scope, day), to_sign));
  request.headers.push_back(
      {"authorization",
       core::text(kAlgorithm, " Credential=", credentials.access_key, "/", credential_scope,
                  ", SignedHeaders=", names, ", Signature=", signature)});
}

}  // namespace icefield::object_store
