#pragma once

#include <cstdint>
#include <string_view>

#include "core/result.h"
#include "core/time.h"

namespace icefield::dataset {

/// How an array stores times: `units` of CF, "seconds since 1970-01-01". It comes from the array's
/// definition, never from the first value.
struct TimeUnits {
  core::Seconds unit{1};
  core::Timestamp epoch{};
  friend constexpr bool operator==(const TimeUnits&, const TimeUnits&) = default;
};

/// Reads "seconds|minutes|hours|days since <date>[ <time>]".
/// Errors: kUnsupported for other units, naming them.
core::Result<TimeUnits> parse_time_units(std::string_view text);

/// The stored number of a time.
/// Errors: kInvalidArgument, naming the time, when it is no whole number of units.
core::Result<std::int64_t> encode_time(const TimeUnits& units, core::Timestamp time);

/// The time of a stored number. Errors: kCorrupt when it lies beyond what a timestamp holds.
core::Result<core::Timestamp> decode_time(const TimeUnits& units, std::int64_t stored);

}  // namespace icefield::dataset
