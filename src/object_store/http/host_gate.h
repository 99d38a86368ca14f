#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "object_store/traffic.h"

namespace icefield::object_store {

using SteadyTime = std::chrono::steady_clock::time_point;

/// How many requests may be under way to one host, how many of them may be repetitions, and what
/// was exchanged with it. The number falls by half when the host asks to slow down (once per burst)
/// and grows again by one for every full round of answers. Repetitions have a budget: one for every
/// good answer, ten more per second, at most a hundred saved up; so a host in trouble is not asked
/// over and over by everyone. Not thread-safe: its owner locks.
class HostGate {
 public:
  HostGate(std::string host, std::size_t most);

  /// True when one more request may start now.
  bool may_start(SteadyTime now) const;
  /// When may_start can become true by time alone; the epoch when time plays no part.
  SteadyTime paused_until() const { return paused_until_; }

  /// True when a repetition may start now, as far as their budget goes.
  bool may_repeat(SteadyTime now) const { return saved_up(now) >= 1; }

  void started(std::uint64_t body_bytes);
  /// The same for a repetition, which is taken from the budget.
  void repeated(SteadyTime now, std::uint64_t body_bytes);
  void answered(SteadyTime now, int status, std::uint64_t body_bytes,
                std::chrono::microseconds latency);
  void failed(std::chrono::microseconds latency);

  std::size_t under_way() const { return under_way_; }
  double limit() const { return limit_; }

  HostTraffic traffic() const;

 private:
  static constexpr std::size_t kBuckets =
      std::size_t{26} * 8;  // latencies up to 2^26 us, 8 steps per doubling

  double saved_up(SteadyTime now) const;
  void count(std::chrono::microseconds latency);
  std::chrono::microseconds percentile(double share) const;

  HostTraffic total_;
  double most_;
  double limit_;
  std::size_t under_way_ = 0;
  SteadyTime paused_until_{};
  double repetitions_;  // saved up until then
  SteadyTime repetitions_at_{};
  std::array<std::uint64_t, kBuckets> latencies_{};
};

/// True for the answers by which a host asks to slow down: 429 and 503.
bool is_throttling(int status);

}  // namespace icefield::object_store
