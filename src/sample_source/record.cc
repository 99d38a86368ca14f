#include "sample_source/record.h"

#include "core/text.h"

namespace icefield::sample_source {
namespace {

const char* statistic_text(Statistic statistic) {
  switch (statistic) {
    case Statistic::kAverage:
      return "ave";
    case Statistic::kAccumulation:
      return "acc";
    case Statistic::kMaximum:
      return "max";
    case Statistic::kMinimum:
      return "min";
  }
  return "";
}

}  // namespace

std::string window_text(const Record& record) {
  if (!record.interval) {
    return record.lead_hour == 0 ? "anl" : core::text(record.lead_hour, " hour fcst");
  }
  const auto& interval = *record.interval;
  const bool days = interval.from_hour % 24 == 0 && interval.to_hour % 24 == 0;
  const std::int32_t unit = days ? 24 : 1;
  return core::text(interval.from_hour / unit, "-", interval.to_hour / unit,
                    days ? " day " : " hour ", statistic_text(interval.statistic), " fcst");
}

}  // namespace icefield::sample_source
