#include "object_store/s3/signature_v4.h"

#include <algorithm>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include "core/text.h"
#include "object_store/http/url.h"
#include "object_store/internal/digest.h"

namespace icefield::object_store {
namespace {

constexpr std::string_view kAlgorithm = "AWS4-HMAC-SHA256";
constexpr std::size_t kUsualHeaderBytes = 512;
constexpr std::size_t kMostAdded = 4;  // headers, by a signature

// "20250801T000000Z"
std::string basic_time(core::Timestamp at) {
  auto text = core::format_timestamp(at);
  std::erase_if(text, [](char c) { return c == '-' || c == ':'; });
  return text + "Z";
}

bool is_signed(std::string_view name) {
  return name.starts_with("x-amz-") || name == "content-md5" || name == "content-type" ||
         name == "host";
}

std::string joined(std::initializer_list<std::string_view> parts) {
  std::size_t size = 0;
  for (const auto part : parts) size += part.size();
  std::string whole;
  whole.reserve(size);
  for (const auto part : parts) whole += part;
  return whole;
}

// By name; of a name that is there twice, the last.
using NameAndValue = std::pair<std::string_view, std::string_view>;
std::vector<NameAndValue> signed_headers(const Headers& headers, std::string_view host) {
  std::vector<NameAndValue> chosen;
  chosen.reserve(headers.size() + 1);
  const auto add = [&chosen](std::string_view name, std::string_view value) {
    const auto at = std::ranges::lower_bound(chosen, name, {}, &NameAndValue::first);
    if (at == chosen.end() || at->first != name) chosen.emplace(at, name, value);
  };
  for (auto at = headers.rbegin(); at != headers.rend(); ++at) {
    if (is_signed(at->name)) add(at->name, at->value);
  }
  add("host", host);
  return chosen;
}

Sha256 derive_key(const std::string& secret_key, const SigningScope& scope, std::string_view day) {
  const auto secret = "AWS4" + secret_key;
  Sha256 key = hmac_sha256(core::as_bytes(secret), day);
  key = hmac_sha256(key, scope.region);
  key = hmac_sha256(key, scope.service);
  return hmac_sha256(key, "aws4_request");
}

// One key serves a day's requests; deriving it costs as much as the rest of a signature.
Sha256 signing_key(const Credentials& credentials, const SigningScope& scope,
                   std::string_view day) {
  struct Known {
    std::string secret_key, region, service, day;
    Sha256 key{};
  };
  thread_local Known known;
  if (known.day != day || known.region != scope.region || known.service != scope.service ||
      known.secret_key != credentials.secret_key) {
    known = {credentials.secret_key, scope.region, scope.service, std::string(day),
             derive_key(credentials.secret_key, scope, day)};
  }
  return known.key;
}

}  // namespace

void sign_v4(HttpRequest& request, const Credentials& credentials, const SigningScope& scope,
             std::string_view payload_hash, core::Timestamp now) {
  const auto url = parse_url(request.url);
  if (!url) return;  // the transport will say so
  const auto time = basic_time(now);
  const auto day = time.substr(0, 8);
  request.headers.reserve(request.headers.size() + kMostAdded);
  request.headers.push_back({"x-amz-date", time});
  request.headers.push_back({"x-amz-content-sha256", std::string(payload_hash)});
  if (!credentials.session_token.empty()) {
    request.headers.push_back({"x-amz-security-token", credentials.session_token});
  }
  const auto headers = signed_headers(request.headers, url->authority);
  std::string canonical_headers;
  std::string names;
  canonical_headers.reserve(kUsualHeaderBytes);
  names.reserve(kUsualHeaderBytes);
  for (const auto& [name, value] : headers) {
    canonical_headers.append(name).append(":").append(value).append("\n");
    names.append(names.empty() ? "" : ";").append(name);
  }
  const auto canonical =
      joined({request.method, "\n", url->path.empty() ? "/" : url->path, "\n", url->query, "\n",
              canonical_headers, "\n", names, "\n", payload_hash});
  const auto credential_scope =
      joined({day, "/", scope.region, "/", scope.service, "/aws4_request"});
  const auto to_sign = joined({kAlgorithm, "\n", time, "\n", credential_scope, "\n",
                               hex(sha256(core::as_bytes(canonical)))});
  const auto signature = hex(hmac_sha256(signing_key(credentials, scope, day), to_sign));
  request.headers.push_back(
      {"authorization",
       joined({kAlgorithm, " Credential=", credentials.access_key, "/", credential_scope,
               ", SignedHeaders=", names, ", Signature=", signature})});
}

}  // namespace icefield::object_store
