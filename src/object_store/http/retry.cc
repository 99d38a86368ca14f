#include "object_store/http/retry.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>

#include "core/random.h"
#include "core/text.h"
#include "object_store/http/host_gate.h"
#include "object_store/http/url.h"

namespace icefield::object_store {
namespace {

constexpr std::chrono::milliseconds kMostGranted{60'000};

// False when stopped before the time was over.
bool wait_for(std::chrono::milliseconds time, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  never.wait_for(lock, stop, time, [] { return false; });
  return !stop.stop_requested();
}

double random_share() {
  return static_cast<double>(core::random_u64() >> 11U) * 0x1.0p-53;
}

bool status_worth_retrying(int status) {
  return status == 408 || status == 429 || status == 500 || status == 502 || status == 503 ||
         status == 504;
}

// The server may have carried the request out although the client cannot know.
bool may_have_happened(const core::Result<HttpResponse>& answer) {
  if (answer) return !is_throttling(answer->status);
  return answer.error().code() != core::ErrorCode::kUnavailable;
}

// What is left of a body says more than the number: the store's own code and text.
core::Error given_up(const std::string& method, const std::string& url, const HttpResponse& answer,
                     int attempts) {
  std::string said(core::as_text(answer.body).substr(0, 300));
  std::ranges::replace(said, '\n', ' ');
  return {core::ErrorCode::kUnavailable,
          core::text(method, " ", shown(url), ": status ", answer.status, " after ", attempts,
                     " attempts: ", said)};
}

core::Result<HttpResponse> settle(const HttpRequest& request, core::Result<HttpResponse> answer,
                                  int attempts) {
  if (!worth_retrying(answer)) return answer;
  if (answer) return given_up(request.method, request.url, *answer, attempts);
  return core::Error(answer.error().code(),
                     core::text(answer.error().message(), " (", attempts, " attempts)"));
}

// Zero when the answer does not say. RFC 9110, section 10.2.3.
std::chrono::milliseconds asked_for(const HttpResponse& answer, core::Instant now) {
  const auto text = answer.header("retry-after");
  if (const auto seconds = parse_number(text)) {
    return std::chrono::seconds(std::min<std::uint64_t>(*seconds, 3600));
  }
  const auto date = parse_http_date(text);
  if (!date) return {};
  return std::chrono::ceil<std::chrono::milliseconds>(core::Instant(*date) - now);
}

/// Counts attempts and time against the policy.
class Budget {
 public:
  explicit Budget(const Sending& sending)
      : sending_(sending), began_(std::chrono::steady_clock::now()) {}

  // Waits before the next attempt; false when there is none.
  bool next(const core::Result<HttpResponse>& answer) {
    if (++attempts_ >= sending_.retry.attempts || sending_.stop.stop_requested()) return false;
    const auto delay =
        retry_delay(sending_.retry, attempts_, random_share(), answer, core::system_now());
    const auto passed = std::chrono::steady_clock::now() - began_;
    if (passed + delay > sending_.retry.total) return false;
    return wait_for(delay, sending_.stop);
  }

  // Until when the attempt after the first may start; nullopt for the first.
  std::optional<SteadyTime> repeat_until() const {
    if (attempts_ == 0) return std::nullopt;
    return began_ + sending_.retry.total;
  }

 private:
  const Sending& sending_;
  SteadyTime began_;
  int attempts_ = 0;
};

}  // namespace

bool worth_retrying(const core::Result<HttpResponse>& answer) {
  if (answer) return status_worth_retrying(answer->status);
  switch (answer.error().code()) {
    case core::ErrorCode::kUnavailable:
    case core::ErrorCode::kUnknownOutcome:
    case core::ErrorCode::kCorrupt:
      return true;
    default:
      return false;
  }
}

std::chrono::milliseconds retry_delay(const RetryPolicy& policy, int attempt, double random,
                                      const core::Result<HttpResponse>& answer, core::Instant now) {
  const auto doublings = std::min(attempt - 1, 20);
  const auto whole = std::min(policy.most, policy.first * (std::int64_t{1} << doublings));
  auto delay = std::chrono::milliseconds(
      static_cast<std::int64_t>(static_cast<double>(whole.count()) * (0.5 + random / 2)));
  if (answer) delay = std::max(delay, std::min(kMostGranted, asked_for(*answer, now)));
  return delay;
}

Sent send_retrying(const Sending& sending, const MakeRequest& make) {
  Budget budget(sending);
  bool before = false;
  for (int attempt = 0;; ++attempt) {
    auto request = make(attempt);
    if (!request) return {std::move(request).error(), attempt, before};
    auto answers = sending.transport->send({&*request, 1}, sending.deadlines, sending.stop,
                                           budget.repeat_until());
    auto& answer = answers.front();
    if (!worth_retrying(answer)) return {std::move(answer), attempt + 1, before};
    const bool perhaps = may_have_happened(answer);
    if (!budget.next(answer)) {
      if (sending.stop.stop_requested()) {
        return {core::Error(core::ErrorCode::kCancelled, "cancelled"), attempt + 1,
                before || perhaps};
      }
      return {settle(*request, std::move(answer), attempt + 1), attempt + 1, before || perhaps};
    }
    before = before || perhaps;
  }
}

std::vector<Sent> send_all_retrying(
    const Sending& sending, std::size_t number,
    const std::function<core::Result<HttpRequest>(std::size_t item, int attempt)>& make) {
  std::vector<Sent> results(number,
                            {core::Error(core::ErrorCode::kCancelled, "cancelled"), 0, false});
  std::vector<std::size_t> open(number);
  std::iota(open.begin(), open.end(), 0);
  Budget budget(sending);
  for (int attempt = 0; !open.empty(); ++attempt) {
    std::vector<HttpRequest> requests;
    std::vector<std::size_t> asked;
    requests.reserve(open.size());
    asked.reserve(open.size());
    for (const auto item : open) {
      auto request = make(item, attempt);
      if (!request) {
        results[item].answer = std::move(request).error();
        continue;
      }
      requests.push_back(*std::move(request));
      asked.push_back(item);
    }
    auto answers =
        sending.transport->send(requests, sending.deadlines, sending.stop, budget.repeat_until());
    open.clear();
    std::vector<std::size_t> places;  // of the open ones among the requests
    std::size_t slowest = 0;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      auto& result = results[asked[i]];
      result.answer = std::move(answers[i]);
      result.attempts = attempt + 1;
      if (!worth_retrying(result.answer)) continue;
      const bool asks = result.answer && !result.answer->header("retry-after").empty();
      if (open.empty() || asks) slowest = asked[i];
      open.push_back(asked[i]);
      places.push_back(i);
    }
    if (open.empty()) break;
    const bool next = budget.next(results[slowest].answer);
    for (std::size_t i = 0; i < open.size(); ++i) {
      auto& result = results[open[i]];
      result.may_have_happened_before =
          result.may_have_happened_before || may_have_happened(result.answer);
      if (next) continue;
      result.answer = sending.stop.stop_requested()
                          ? core::Error(core::ErrorCode::kCancelled, "cancelled")
                          : settle(requests[places[i]], std::move(result.answer), attempt + 1);
    }
    if (!next) break;
  }
  return results;
}

std::vector<core::Result<HttpResponse>> answers_of(std::vector<Sent> sent) {
  std::vector<core::Result<HttpResponse>> answers;
  answers.reserve(sent.size());
  for (auto& one : sent) answers.push_back(std::move(one.answer));
  return answers;
}

}  // namespace icefield::object_store
