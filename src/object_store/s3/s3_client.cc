#include "object_store/s3/s3_client.h"

#include <utility>

#include "core/text.h"
#include "core/time.h"
#include "object_store/internal/digest.h"
#include "object_store/internal/percent.h"
#include "object_store/s3/s3_errors.h"
#include "object_store/s3/signature_v4.h"

namespace icefield::object_store {
namespace {

constexpr int kMostCorrections = 2;

std::string encoded_key(const std::string& key) {
  std::string out;
  for (const auto& segment : core::split(key, '/')) {
    out += "/" + percent_encode_all(segment);
  }
  return out;
}

std::string amazon_host(const std::string& region) {
  return "s3." + region + (region.starts_with("cn-") ? ".amazonaws.com.cn" : ".amazonaws.com");
}

std::string origin_of(const S3Settings& settings, const std::string& region) {
  auto whole = settings.endpoint.empty() ? "https://" + amazon_host(region) : settings.endpoint;
  if (settings.path_style) return whole;
  const auto host = whole.find("://") + 3;
  return whole.substr(0, host) + settings.bucket + "." + whole.substr(host);
}

}  // namespace

S3Client::S3Client(S3Settings settings, std::vector<CredentialSource> sources, Sending sending)
    : settings_(std::move(settings)),
      sending_(std::move(sending)),
      keeper_(std::move(sources)),
      region_(settings_.region.empty() ? "us-east-1" : settings_.region) {}

std::string S3Client::name(const std::string& key) const {
  return "s3://" + settings_.bucket + "/" + key;
}

std::string S3Client::region() const {
  const std::lock_guard lock(mutex_);
  return region_;
}

core::Result<HttpRequest> S3Client::request(const S3Call& call) const {
  const auto here = region();
  HttpRequest made{.method = call.method,
                   .url = origin_of(settings_, here),
                   .headers = call.headers,
                   .body = call.body,
                   .max_answer = call.max_answer};
  if (settings_.path_style) made.url += "/" + settings_.bucket;
  if (!call.key.empty()) made.url += encoded_key(call.key);
  if (call.key.empty() && !settings_.path_style) made.url += "/";
  if (!call.query.empty()) made.url += "?" + encode_query(call.query);
  if (settings_.access == S3Access::kAnonymous) return made;
  const auto now = core::system_now();
  auto credentials = settings_.keys;
  if (settings_.access == S3Access::kChain) {
    TRY_ASSIGN(credentials, keeper_.get(now));
  }
  const bool tls = made.url.starts_with("https://");
  const auto hash =
      tls && !call.body.empty() ? std::string(kUnsignedPayload) : hex(sha256(call.body));
  sign_v4(made, credentials, {.region = here}, hash,
          std::chrono::time_point_cast<std::chrono::seconds>(now));
  return made;
}

Sent S3Client::send(const S3Call& call) const {
  for (int corrections = 0;; ++corrections) {
    auto sent = send_retrying(sending_, [this, &call](int /*attempt*/) { return request(call); });
    if (corrections == kMostCorrections || !corrected(sent.answer)) return sent;
  }
}

std::vector<core::Result<HttpResponse>> S3Client::send_all(std::span<const S3Call> calls) const {
  auto answers = send_all_retrying(
      sending_, calls.size(),
      [this, calls](std::size_t item, int /*attempt*/) { return request(calls[item]); });
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (corrected(answers[i])) answers[i] = send(calls[i]).answer;
  }
  return answers;
}

bool S3Client::corrected(const core::Result<HttpResponse>& answer) const {
  if (!answer || answer->status < 300 || answer->status == 304 || answer->status == 404 ||
      answer->status == 412) {
    return false;
  }
  const auto said = read_s3_error(*answer);
  if (said.code == "ExpiredToken" && settings_.access == S3Access::kChain) {
    keeper_.forget();
    return true;
  }
  std::string other(answer->header("x-amz-bucket-region"));
  if (other.empty()) other = said.region;
  if (other.empty() || !region_can_exist(other)) return false;
  const std::lock_guard lock(mutex_);
  if (other == region_) return false;
  region_ = other;
  return true;
}

}  // namespace icefield::object_store
