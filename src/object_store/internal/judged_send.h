#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "core/result.h"
#include "object_store/http/retry.h"

namespace icefield::object_store {

/// What becomes of an answer that send_retrying let through.
enum class NextStep {
  kTake,        // it is the answer
  kAgainNow,    // what it complained about was put right (region, credentials, clock)
  kAgainLater,  // the service was in its own way, or the bytes were damaged on theirs
};

/// Judges an answer by the service's own rules; may replace it by the Error that the caller gets
/// when there is no further attempt.
using JudgeAnswer = std::function<NextStep(core::Result<HttpResponse>& answer)>;

/// Calls `once` until `judge` takes its answer: at most three times more for kAgainNow, and as
/// often and as long as `sending` says, with growing delays, for kAgainLater. Then the last answer,
/// or the Error that `judge` made of it, is the result.
Sent send_judged(const Sending& sending, const std::function<Sent()>& once,
                 const JudgeAnswer& judge);

/// The same for many. `together` sends the items that it is given; those whose answer `judge` does
/// not take are sent again: the first of them by `alone`, since what it teaches helps the others,
/// then the others together, then by `alone` what is still refused. Result i belongs to item i.
std::vector<Sent> send_all_judged(
    std::size_t number,
    const std::function<std::vector<Sent>(std::span<const std::size_t> items)>& together,
    const std::function<NextStep(std::size_t item, core::Result<HttpResponse>& answer)>& judge,
    const std::function<Sent(std::size_t item)>& alone);

}  // namespace icefield::object_store
