#include "dataset/time_units.h"

#include <array>
#include <string>

#include "core/text.h"

namespace icefield::dataset {
namespace {

struct Row {
  std::string_view name;
  core::Seconds unit;
};

constexpr std::array kUnits = {
    Row{"seconds", std::chrono::seconds(1)},
    Row{"minutes", std::chrono::minutes(1)},
    Row{"hours", std::chrono::hours(1)},
    Row{"days", std::chrono::days(1)},
};

constexpr std::string_view kSince = " since ";

}  // namespace

core::Result<TimeUnits> parse_time_units(std::string_view text) {
  const auto unsupported = [&] {
    return core::Error(core::ErrorCode::kUnsupported, "time units '" + std::string(text) + "'");
  };
  const std::size_t since = text.find(kSince);
  if (since == std::string_view::npos) return unsupported();
  for (const Row& row : kUnits) {
    if (text.substr(0, since) != row.name) continue;
    const auto epoch = core::parse_timestamp(text.substr(since + kSince.size()));
    if (!epoch) return unsupported();
    return TimeUnits{row.unit, *epoch};
  }
  return unsupported();
}

core::Result<std::int64_t> encode_time(const TimeUnits& units, core::Timestamp time) {
  const core::Seconds since = time - units.epoch;
  if (since % units.unit != core::Seconds{0}) {
    return core::Error(
        core::ErrorCode::kInvalidArgument,
        core::text(core::format_timestamp(time), " is no whole number of ", units.unit.count(),
                   "-second units since ", core::format_timestamp(units.epoch)));
  }
  return since / units.unit;
}

core::Result<core::Timestamp> decode_time(const TimeUnits& units, std::int64_t stored) {
  // beyond year 9999 a timestamp has no text form
  constexpr std::int64_t kMost = 253402300799;
  if (stored > kMost / units.unit.count() || stored < -kMost / units.unit.count()) {
    return core::Error(core::ErrorCode::kCorrupt, core::text("time ", stored, " is out of range"));
  }
  return units.epoch + stored * units.unit;
}

}  // namespace icefield::dataset
