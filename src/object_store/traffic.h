#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace icefield::object_store {

/// What this process has exchanged with one host, for its reports.
struct HostTraffic {
  std::string host;            // "https://host:port"
  std::uint64_t requests = 0;  // sent, retries included
  std::uint64_t retries = 0;
  std::uint64_t failures = 0;           // requests without an answer
  std::uint64_t throttled = 0;          // answers that asked to slow down
  std::uint64_t bytes_received = 0;     // of bodies
  std::uint64_t bytes_sent = 0;         // of bodies
  std::chrono::microseconds median{0};  // from sending a request to the end of its answer
  std::chrono::microseconds p99{0};     // both within 10 %
};

/// All hosts so far, by name. Any thread.
std::vector<HostTraffic> traffic();

/// "https://host: 12 requests (1 retried), 3.4 MB in, 0.1 MB out, median 12 ms, p99 80 ms"
std::string describe(const HostTraffic& traffic);

}  // namespace icefield::object_store
