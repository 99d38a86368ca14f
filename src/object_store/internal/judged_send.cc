#include "object_store/internal/judged_send.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <numeric>
#include <utility>

#include "core/random.h"

namespace icefield::object_store {
namespace {

constexpr int kMostCorrections = 3;
constexpr int kMostLater = 8;

// False when stopped before the time was over.
bool pause(std::chrono::milliseconds time, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  never.wait_for(lock, stop, time, [] { return false; });
  return !stop.stop_requested();
}

// Doubles from `first` to `most`; the upper half is drawn.
std::chrono::milliseconds delay(const RetryPolicy& policy, int repetition) {
  const auto whole =
      std::min(policy.most, policy.first * (std::int64_t{1} << std::min(repetition, 20)));
  const auto half = whole.count() / 2;
  return std::chrono::milliseconds(
      half + static_cast<std::int64_t>(core::random_u64() % static_cast<std::uint64_t>(half + 1)));
}

// An answer of success that is no good, and one that is missing, leave a doubt.
bool leaves_doubt(const Sent& sent) {
  return !sent.answer || sent.answer->status < 300;
}

}  // namespace

std::vector<Sent> send_all_judged(
    std::size_t number,
    const std::function<std::vector<Sent>(std::span<const std::size_t> items)>& together,
    const std::function<NextStep(std::size_t item, core::Result<HttpResponse>& answer)>& judge,
    const std::function<Sent(std::size_t item)>& alone) {
  std::vector<Sent> results(number,
                            {core::Error(core::ErrorCode::kCancelled, "cancelled"), 0, false});
  const auto merge = [&results](std::size_t item, Sent sent) {
    auto& result = results[item];
    result.answer = std::move(sent.answer);
    result.attempts += sent.attempts;
    result.may_have_happened_before =
        result.may_have_happened_before || sent.may_have_happened_before;
  };
  // Sends the items together; gives those to be sent again.
  const auto send = [&](std::span<const std::size_t> items) {
    std::vector<std::size_t> again;
    auto sent = together(items);
    for (std::size_t i = 0; i < items.size(); ++i) {
      merge(items[i], std::move(sent[i]));
      auto& result = results[items[i]];
      const bool doubt = leaves_doubt(result);
      if (judge(items[i], result.answer) == NextStep::kTake) continue;
      result.may_have_happened_before = result.may_have_happened_before || doubt;
      again.push_back(items[i]);
    }
    return again;
  };
  std::vector<std::size_t> items(number);
  std::iota(items.begin(), items.end(), 0);
  auto again = send(items);
  if (again.empty()) return results;
  merge(again.front(), alone(again.front()));
  if (again.size() == 1) return results;
  for (const auto item : send(std::span(again).subspan(1))) merge(item, alone(item));
  return results;
}

Sent send_judged(const Sending& sending, const std::function<Sent()>& once,
                 const JudgeAnswer& judge) {
  const auto began = std::chrono::steady_clock::now();
  const int most_later = std::min(kMostLater, sending.retry.attempts - 1);
  int corrections = 0;
  int later = 0;
  int attempts = 0;
  bool before = false;
  for (;;) {
    auto sent = once();
    attempts += sent.attempts;
    before = before || sent.may_have_happened_before;
    const bool doubt = leaves_doubt(sent);
    const auto step = judge(sent.answer);
    sent.attempts = attempts;
    sent.may_have_happened_before = before;
    if (step == NextStep::kTake) return sent;
    before = before || doubt;
    if (step == NextStep::kAgainNow) {
      if (++corrections > kMostCorrections) return sent;
      continue;
    }
    if (++later > most_later) return sent;
    const auto wait = delay(sending.retry, later - 1);
    if (std::chrono::steady_clock::now() - began + wait > sending.retry.total) return sent;
    if (!pause(wait, sending.stop)) {
      return {core::Error(core::ErrorCode::kCancelled, "cancelled"), attempts, before};
    }
  }
}

}  // namespace icefield::object_store
