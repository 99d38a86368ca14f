#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/result.h"
#include "object_store/http/host_gate.h"
#include "object_store/http/http_message.h"
#include "object_store/traffic.h"

namespace icefield::object_store {

/// Time limits of one attempt.
struct Deadlines {
  std::chrono::milliseconds connect{10'000};
  std::chrono::milliseconds first_byte{30'000};  // from sending the whole request to any answer
  std::chrono::milliseconds stall{15'000};       // for every stall_bytes, sent or received
  std::uint64_t stall_bytes = 16'384;            // less than this per `stall` is a stall
  std::chrono::milliseconds total{600'000};
};

/// Sends HTTP/1.1 requests over kept connections: one thread runs all transfers of the process,
/// callers block. Bounds what is under way per host. Never follows redirects, never retries.
class Transport {
 public:
  /// `most_per_host`: requests under way at once to one scheme, host and port.
  explicit Transport(std::size_t most_per_host);
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  ~Transport();

  /// The process's one, made at the first call; a forked child makes its own.
  static Transport& shared();

  /// Answer i belongs to request i. Returns when all are answered or have failed.
  /// Errors: kUnavailable when the request was certainly not carried out (no connection);
  ///         kUnknownOutcome when it was sent and no whole answer came in time;
  ///         kCorrupt when the body is shorter than promised or longer than max_answer;
  ///         kPermissionDenied when the host's certificate is not accepted;
  ///         kCancelled at once when `stop` is requested.
  /// `repeat_until` is given for repetitions: they wait for the host's budget of repetitions
  /// (host_gate.h), and are kUnavailable when it has none for them until then.
  std::vector<core::Result<HttpResponse>> send(
      std::span<const HttpRequest> requests, const Deadlines& deadlines,
      const std::stop_token& stop, std::optional<SteadyTime> repeat_until = std::nullopt);

  std::vector<HostTraffic> traffic() const;

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace icefield::object_store
