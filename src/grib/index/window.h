#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/result.h"

namespace icefield::grib {

/// How the values of a window came about: WMO code table 4.10, and kInstant for a point in time.
enum class Statistic : std::uint8_t {
  kInstant,
  kAverage,
  kAccumulation,
  kMaximum,
  kMinimum,
  kDifference,  // last value minus first
  kRootMeanSquare,
  kStandardDeviation,
  kCovariance,
  kReversedDifference,  // first value minus last
  kRatio,
  kUnspecified,  // a range whose label names no statistic
};

/// The span of forecast time that a field describes, in minutes after the reference time.
/// Compared as numbers: the labels "0-1 day acc fcst" and "0-24 hour acc fcst" are equal windows.
struct Window {
  std::int32_t start_minutes = 0;
  std::int32_t end_minutes = 0;  // equals start_minutes for kInstant
  Statistic statistic = Statistic::kInstant;

  friend constexpr auto operator<=>(const Window&, const Window&) = default;
};

/// The point in time `lead_minutes` after the reference time.
constexpr Window instant_window(std::int32_t lead_minutes) {
  return {lead_minutes, lead_minutes, Statistic::kInstant};
}

/// The window that ends at `lead_hours` and starts where a quantity was last reset to zero:
/// every `reset_hours`, or at hour 0 when that is absent. At lead 0 it is [0, 0]; at a multiple of
/// the reset interval it is the whole interval before (docs/formats/index_sidecars.md, windows).
/// Preconditions: lead_hours >= 0, reset_hours > 0.
Window window_since_reset(std::int32_t lead_hours, std::optional<std::int32_t> reset_hours,
                          Statistic statistic);

/// The smallest unit that a label's numbers are given in.
enum class LabelUnit : std::uint8_t { kHour, kMinute };

/// Reads the window label of a NOAA inventory line: "anl", "8 hour fcst", "7-8 hour acc fcst",
/// "0-1 day max fcst", "0-15 min ave fcst", "18-24 hour acc". Months and longer, seconds that are
/// not whole minutes and nested averages are kUnsupported; anything else unknown is kCorrupt.
/// Errors name the label.
core::Result<Window> parse_window(std::string_view label);

/// The label that the providers' inventories carry for `window`: "anl" for the instant 0, whole
/// days as days for ranges, whole hours as hours, else minutes. An instant of a message whose
/// forecast time is given in minutes stays in minutes (`unit`).
std::string format_window(const Window& window, LabelUnit unit = LabelUnit::kHour);

/// The word for `statistic` in a label ("acc"); empty for kInstant and kUnspecified.
std::string_view statistic_word(Statistic statistic);

}  // namespace icefield::grib
