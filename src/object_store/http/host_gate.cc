#include "object_store/http/host_gate.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/text.h"

namespace icefield::object_store {
namespace {

// Answers of requests that were under way when the first 503 came belong to the same burst.
constexpr std::chrono::milliseconds kBurst{200};

constexpr double kMostRepetitions = 100;
constexpr double kRepetitionsPerSecond = 10;

std::string megabytes(std::uint64_t bytes) {
  const auto tenths = (bytes + 50'000) / 100'000;
  return core::text(tenths / 10, ".", tenths % 10, " MB");
}

std::string milliseconds(std::chrono::microseconds time) {
  const auto tenths = (time.count() + 50) / 100;
  return core::text(tenths / 10, ".", tenths % 10, " ms");
}

}  // namespace

bool is_throttling(int status) {
  return status == 429 || status == 503;
}

HostGate::HostGate(std::string host, std::size_t most)
    : most_(static_cast<double>(most)), limit_(most_), repetitions_(kMostRepetitions) {
  total_.host = std::move(host);
}

bool HostGate::may_start(SteadyTime now) const {
  return static_cast<double>(under_way_) < std::floor(limit_) && now >= paused_until_;
}

void HostGate::started(std::uint64_t body_bytes) {
  ++under_way_;
  ++total_.requests;
  total_.bytes_sent += body_bytes;
}

double HostGate::saved_up(SteadyTime now) const {
  const auto passed = std::chrono::duration<double>(now - repetitions_at_).count();
  return std::min(kMostRepetitions, repetitions_ + std::max(0.0, passed) * kRepetitionsPerSecond);
}

void HostGate::repeated(SteadyTime now, std::uint64_t body_bytes) {
  repetitions_ = saved_up(now) - 1;
  repetitions_at_ = now;
  ++total_.retries;
  started(body_bytes);
}

void HostGate::answered(SteadyTime now, int status, std::uint64_t body_bytes,
                        std::chrono::microseconds latency) {
  --under_way_;
  total_.bytes_received += body_bytes;
  count(latency);
  if (!is_throttling(status)) {
    limit_ = std::min(most_, limit_ + 1 / limit_);
    if (status < 500) repetitions_ = std::min(kMostRepetitions, repetitions_ + 1);
    return;
  }
  ++total_.throttled;
  if (now < paused_until_) return;
  limit_ = std::max(1.0, limit_ / 2);
  paused_until_ = now + kBurst;
}

void HostGate::failed(std::chrono::microseconds latency) {
  --under_way_;
  ++total_.failures;
  count(latency);
}

void HostGate::count(std::chrono::microseconds latency) {
  const auto time = std::max(1.0, static_cast<double>(latency.count()));
  const auto bucket = static_cast<std::size_t>(std::log2(time) * 8);
  ++latencies_[std::min(bucket, kBuckets - 1)];
}

std::chrono::microseconds HostGate::percentile(double share) const {
  std::uint64_t all = 0;
  for (const auto number : latencies_) all += number;
  const auto wanted = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(all)));
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < kBuckets && all != 0; ++i) {
    seen += latencies_[i];
    if (seen < wanted) continue;
    const auto middle = std::exp2((static_cast<double>(i) + 0.5) / 8);
    return std::chrono::microseconds(static_cast<std::int64_t>(middle));
  }
  return std::chrono::microseconds{0};
}

HostTraffic HostGate::traffic() const {
  auto now = total_;
  now.median = percentile(0.5);
  now.p99 = percentile(0.99);
  return now;
}

std::string describe(const HostTraffic& traffic) {
  return core::text(traffic.host, ": ", traffic.requests, " requests (", traffic.retries,
                    " retried, ", traffic.throttled, " throttled, ", traffic.failures,
                    " unanswered), ", megabytes(traffic.bytes_received), " in, ",
                    megabytes(traffic.bytes_sent), " out, median ", milliseconds(traffic.median),
                    ", p99 ", milliseconds(traffic.p99));
}

}  // namespace icefield::object_store
