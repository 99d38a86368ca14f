#include "object_store/s3/s3_client.h"

#include <chrono>
#include <utility>

#include "core/text.h"
#include "object_store/internal/digest.h"
#include "object_store/s3/s3_address.h"
#include "object_store/s3/s3_answers.h"
#include "object_store/s3/s3_checksums.h"
#include "object_store/s3/s3_errors.h"
#include "object_store/s3/signature_v4.h"

namespace icefield::object_store {
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

core::Result<HttpRequest> S3Client::request(const S3Call& call,
                                            const std::string& elsewhere) const {
  const auto here = region();
  HttpRequest made{.method = call.method,
                   .url = elsewhere,
                   .headers = call.headers,
                   .body = call.body,
                   .max_answer = call.max_answer};
  if (elsewhere.empty()) {
    made.url = s3_url(settings_, here, call.key, call.query);
  } else if (!call.query.empty()) {
    made.url += "?" + encode_query(call.query);
  }
  if (call.whole && settings_.verify_checksums) {
    made.headers.push_back({"x-amz-checksum-mode", "ENABLED"});
  }
  if (settings_.access == S3Access::kAnonymous) return made;
  const auto now = clock_.now();
  auto credentials = settings_.keys;
  if (settings_.access == S3Access::kChain) {
    TRY_ASSIGN(credentials, keeper_.get(now));
  }
  const bool tls = made.url.starts_with("https://");
  const auto hash =
      tls && !call.body.empty() ? std::string(kUnsignedPayload) : hex(sha256(call.body));
  sign_v4(made, credentials, {.region = here}, hash, std::chrono::floor<std::chrono::seconds>(now));
  return made;
}

Sent S3Client::send(const S3Call& call) const {
  std::string elsewhere;
  auto then = belief();
  const auto once = [&] {
    then = belief();
    return send_retrying(sending_, [&](int /*attempt*/) { return request(call, elsewhere); });
  };
  return send_judged(sending_, once, [&](core::Result<HttpResponse>& answer) {
    if (!answer || answer->status != 307) return judge(call, then, answer);
    // a bucket made lately: its name does not lead to its region yet
    elsewhere = temporary_place(answer->header("location"), settings_);
    return elsewhere.empty() ? NextStep::kTake : NextStep::kAgainNow;
  });
}

std::vector<Sent> S3Client::send_all(std::span<const S3Call> calls) const {
  auto then = belief();
  return send_all_judged(
      calls.size(),
      [&](std::span<const std::size_t> items) {
        then = belief();
        return send_all_retrying(sending_, items.size(), [&](std::size_t i, int /*attempt*/) {
          return request(calls[items[i]], {});
        });
      },
      [&](std::size_t item, core::Result<HttpResponse>& answer) {
        const bool sent_away = answer && answer->status == 307;
        return sent_away ? NextStep::kAgainNow : judge(calls[item], then, answer);
      },
      [&](std::size_t item) { return send(calls[item]); });
}

NextStep S3Client::judge(const S3Call& call, const Belief& then,
                         core::Result<HttpResponse>& answer) const {
  if (!answer) return NextStep::kTake;
  const int status = answer->status;
  if (status == 200 && call.whole && settings_.verify_checksums) {
    const auto verified = verify_checksums(name(call.key), *answer);
    if (verified) return NextStep::kTake;
    answer = verified.error();
    return NextStep::kAgainLater;
  }
  if (status == 200 && (call.method == "PUT" || call.method == "POST")) {
    // copies and completions begin their answer before they know how they end
    const bool deletes = !call.query.empty() && call.query.front().first == "delete";
    if (deletes && can_be_deleted_later(*answer)) return NextStep::kAgainLater;
    if (read_s3_error(*answer).code.empty()) return NextStep::kTake;
    answer =
        core::Error(core::ErrorCode::kUnknownOutcome, s3_error(name(call.key), *answer).message());
    return NextStep::kAgainLater;
  }
  if (status < 300 || status == 304 || status == 404 || status == 412) return NextStep::kTake;
  return judge_refusal(call, then, answer);
}

NextStep S3Client::judge_refusal(const S3Call& call, const Belief& then,
                                 core::Result<HttpResponse>& answer) const {
  if (corrected_region(answer->header("x-amz-bucket-region"), then)) return NextStep::kAgainNow;
  if (call.method == "HEAD") ask_why(call, *answer);
  const auto said = read_s3_error(*answer);
  if (corrected_region(said.region, then)) return NextStep::kAgainNow;
  switch (s3_remedy(answer->status, said.code)) {
    case S3Remedy::kNewCredentials:
      if (settings_.access != S3Access::kChain) return NextStep::kTake;
      keeper_.forget();
      return NextStep::kAgainNow;
    case S3Remedy::kClock:
      return clock_.set_by(*answer, then.ahead_s) ? NextStep::kAgainNow : NextStep::kTake;
    case S3Remedy::kBusy:
      if (call.may_conflict) return NextStep::kTake;
      [[fallthrough]];
    case S3Remedy::kRepeat:
      answer =
          core::Error(core::ErrorCode::kUnavailable, s3_error(name(call.key), *answer).message());
      return NextStep::kAgainLater;
    case S3Remedy::kNone:
      break;
  }
  return NextStep::kTake;
}

void S3Client::ask_why(const S3Call& call, HttpResponse& answer) const {
  if (answer.status != 400 && answer.status != 403) return;
  constexpr std::uint64_t kMostRead = 64U << 10U;
  S3Call same = call;
  same.method = "GET";
  same.headers.push_back({"range", "bytes=0-0"});
  same.max_answer = kMostRead;
  auto sent = send_retrying(sending_, [&](int /*attempt*/) { return request(same, {}); });
  if (sent.answer && sent.answer->status == answer.status) answer = *std::move(sent.answer);
}

bool S3Client::corrected_region(std::string_view other, const Belief& then) const {
  if (other.empty() || !region_can_exist(other)) return false;
  if (other == then.region) return false;
  const std::lock_guard lock(mutex_);
  region_ = other;
  return true;
}

}  // namespace icefield::object_store
