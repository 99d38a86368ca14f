#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/result.h"

namespace icefield::core {

using Timestamp = std::chrono::sys_seconds;                        // UTC
using Instant = std::chrono::sys_time<std::chrono::microseconds>;  // UTC
using Seconds = std::chrono::seconds;

/// Where "now" comes from; tests pass their own.
using Clock = std::function<Instant()>;

/// The system's clock.
Instant system_now();

/// Reads `YYYY-MM-DD`, `YYYY-MM-DDTHH:MM:SS` or `YYYY-MM-DD HH:MM:SS` as UTC. Fractions, zone
/// suffixes and dates that the calendar does not have are kInvalidArgument, naming the text.
Result<Timestamp> parse_timestamp(std::string_view text);

/// `2025-08-01T00:00:00`
std::string format_timestamp(Timestamp at);

/// `2025-08-01T00:00:00.123456Z`
std::string format_instant(Instant at);

/// Duration as ISO 8601 with days and a time part: `P0DT3H0M0S`. Not negative.
std::string format_duration(Seconds duration);

}  // namespace icefield::core
