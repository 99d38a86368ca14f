#pragma once

#include <functional>

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

}  // namespace icefield::object_store
