#pragma once

#include <string>
#include <vector>

#include "core/json.h"

namespace icefield::cli {

/// What this process has exchanged with hosts so far, for the final report of a job: a line each,
/// none when nothing went over a network.
std::vector<std::string> traffic_lines();

/// The same for scripts, the member "hosts" of a report: [{"host","requests","retries","failures",
/// "throttled","bytes_received","bytes_sent","median_ms","p99_ms"}], by host.
core::Json traffic_json();

}  // namespace icefield::cli
