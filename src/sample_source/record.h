#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace icefield::sample_source {

/// What was done with the values of an interval; the numbers are those of code table 4.10.
enum class Statistic : std::uint8_t { kAverage = 0, kAccumulation = 1, kMaximum = 2, kMinimum = 3 };

/// Hours after initialization from which to which a statistic was taken.
struct Interval {
  Statistic statistic = Statistic::kAccumulation;
  std::int32_t from_hour = 0;
  std::int32_t to_hour = 0;
  friend bool operator==(const Interval&, const Interval&) = default;
};

/// One message of a file, in the words of its inventory.
struct Record {
  std::string element = {};               // "TMP"
  std::string level = {};                 // "2 m above ground"
  std::int32_t lead_hour = 0;             // hours after initialization
  std::optional<Interval> interval = {};  // absent: at one moment
  std::int32_t level_number = 0;          // place in a vertical coordinate, 0 at its start
  bool nothing_yet = false;               // a statistic over no time: zero everywhere
};

/// The sixth field of an inventory line: "anl", "8 hour fcst", "7-8 hour acc fcst",
/// "0-1 day acc fcst".
std::string window_text(const Record& record);

}  // namespace icefield::sample_source
