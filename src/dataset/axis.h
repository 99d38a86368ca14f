#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

namespace icefield::dataset {

/// The dimension that grows; its labels follow from append_start and append_every.
struct AppendAxis {};

/// Leads from `first` to `last`, both included, every `every`.
struct LeadRun {
  std::chrono::hours first{0};
  std::chrono::hours last{0};
  std::chrono::hours every{0};
};

/// Lead times: the runs joined, a lead at the border of two runs counted once.
struct LeadAxis {
  std::span<const LeadRun> runs = {};
};

/// Whole-number labels in their order: pressure levels in hPa, model levels, ensemble members.
struct LabelAxis {
  std::span<const std::int64_t> labels = {};
};

/// Cell centres first, first + step, … of a regular grid, in the coordinate's unit.
struct LinearAxis {
  double first = 0;
  double step = 0;
  std::uint64_t size = 0;
};

struct Dimension {
  std::string_view name = {};
  std::variant<AppendAxis, LeadAxis, LabelAxis, LinearAxis> axis;
};

/// Labels on the dimension; 0 for the append dimension. (No std::get_if here: the
/// undefined-behaviour sanitizer makes addresses no constants.)
constexpr std::uint64_t length_of(const Dimension& dimension) {
  if (std::holds_alternative<LeadAxis>(dimension.axis)) {
    const auto& runs = std::get<LeadAxis>(dimension.axis).runs;
    std::uint64_t count = runs.empty() ? 0 : 1;
    for (const auto& run : runs) {
      count += static_cast<std::uint64_t>((run.last - run.first) / run.every);
    }
    return count;
  }
  if (std::holds_alternative<LabelAxis>(dimension.axis)) {
    return std::get<LabelAxis>(dimension.axis).labels.size();
  }
  if (std::holds_alternative<LinearAxis>(dimension.axis)) {
    return std::get<LinearAxis>(dimension.axis).size;
  }
  return 0;
}

}  // namespace icefield::dataset
