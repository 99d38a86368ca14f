#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

#include "core/result.h"
#include "core/time.h"
#include "object_store/http/transport.h"

namespace icefield::object_store {

/// How often and how long one request is tried again. Delays double from `first` to `most`, each
/// drawn from its upper half; a host's Retry-After lengthens them, and so does its budget of
/// repetitions (host_gate.h).
struct RetryPolicy {
  int attempts = 24;  // in all
  std::chrono::milliseconds first{100};
  std::chrono::milliseconds most{10'000};
  std::chrono::milliseconds total{180'000};  // from the first attempt; no attempt starts later
};

/// Everything that sending needs besides the request. Copies share the transport.
struct Sending {
  Transport* transport = nullptr;
  Deadlines deadlines = {};
  RetryPolicy retry = {};
  std::stop_token stop = {};  // ends every call at once with kCancelled
};

/// An answer and what came before it.
struct Sent {
  core::Result<HttpResponse> answer;
  int attempts = 0;
  bool may_have_happened_before = false;  // an earlier attempt may have been carried out
};

/// Makes the request of attempt n (0 first): signatures carry the time, so each attempt signs anew.
using MakeRequest = std::function<core::Result<HttpRequest>(int attempt)>;

/// Sends until an answer comes that is not worth another attempt, or the policy ends: a broken
/// connection, a body cut short, and the statuses 408, 429, 500, 502, 503, 504 are tried again.
/// Only for requests that may be carried out twice. Answers of any other status are results.
/// Errors: of the last attempt, with kUnavailable for a status that asked to come later.
Sent send_retrying(const Sending& sending, const MakeRequest& make);

/// The same for many at once: item i is asked for by make(i, attempt).
std::vector<Sent> send_all_retrying(
    const Sending& sending, std::size_t number,
    const std::function<core::Result<HttpRequest>(std::size_t item, int attempt)>& make);

/// The answers alone.
std::vector<core::Result<HttpResponse>> answers_of(std::vector<Sent> sent);

/// True when another attempt can help.
bool worth_retrying(const core::Result<HttpResponse>& answer);

/// Time to wait before attempt `attempt` (1 is the first retry), as `policy` says; `random` in
/// [0, 1). `answer` may ask for more by Retry-After, in seconds or as a date, which is compared
/// with `now` (at most a minute is granted).
std::chrono::milliseconds retry_delay(const RetryPolicy& policy, int attempt, double random,
                                      const core::Result<HttpResponse>& answer, core::Instant now);

}  // namespace icefield::object_store
