#include "datasets/noaa/index_window.h"

#include "core/text.h"

namespace icefield::datasets::noaa {
namespace {

std::string_view kind_of(dataset::StepType step) {
  switch (step) {
    case dataset::StepType::kAccum:
      return "acc";
    case dataset::StepType::kAvg:
      return "ave";
    case dataset::StepType::kMin:
      return "min";
    case dataset::StepType::kMax:
      return "max";
    case dataset::StepType::kInstant:
      break;
  }
  return "";
}

/// The hour at which the window that ends at `hour` began.
std::int64_t window_start(dataset::WindowReset reset, std::int64_t hour) {
  if (reset == dataset::kForever || hour == 0) return 0;
  const std::int64_t inside = hour % reset.count();
  return inside == 0 ? hour - reset.count() : hour - inside;
}

}  // namespace

std::string index_window(const dataset::Variable& variable, core::Seconds lead) {
  const auto hour = std::chrono::floor<std::chrono::hours>(lead).count();
  const auto reset = variable.source.window_reset;
  if (reset == dataset::kNoWindow) return hour == 0 ? "anl" : core::text(hour, " hour fcst");
  const auto start = window_start(reset, hour);
  const auto kind = kind_of(variable.step);
  constexpr std::int64_t kDay = 24;
  if (start == 0 && hour % kDay == 0) return core::text("0-", hour / kDay, " day ", kind, " fcst");
  return core::text(start, "-", hour, " hour ", kind, " fcst");
}

}  // namespace icefield::datasets::noaa
