#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

#include "core/time.h"
#include "grib/internal/octets.h"

namespace icefield::grib {

/// Year (2 octets), month, day, hour, minute, second at `octet`; nothing when the calendar or the
/// clock has no such time.
inline std::optional<core::Timestamp> read_time(Octets& section, std::size_t octet) {
  using namespace std::chrono;  // NOLINT: calendar words
  const year_month_day date{year(section.u16(octet)), month(section.u8(octet + 2)),
                            day(section.u8(octet + 3))};
  const auto hour = section.u8(octet + 4);
  const auto minute = section.u8(octet + 5);
  const auto second = section.u8(octet + 6);
  if (!section.whole() || !date.ok() || hour > 24 || minute > 59 || second > 60) {
    return std::nullopt;
  }
  return sys_days(date) + hours(hour) + minutes(minute) + seconds(second);
}

}  // namespace icefield::grib
