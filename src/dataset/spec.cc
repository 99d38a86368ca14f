#include "dataset/spec.h"

#include <algorithm>

#include "core/text.h"

namespace icefield::dataset {

std::string path_of(const DatasetSpec& spec, const Variable& variable) {
  std::string path(spec.groups[variable.group].name);
  if (!path.empty()) path += '/';
  path += variable.quantity->name;
  return path;
}

std::optional<std::size_t> level_position(const Group& group) {
  const auto found = std::ranges::find(group.dims, group.name);
  if (found == group.dims.end()) return std::nullopt;
  return static_cast<std::size_t>(found - group.dims.begin());
}

bool has_hour_0_values(const DatasetSpec& spec, const Variable& variable) {
  if (variable.options.hour_0) return *variable.options.hour_0;
  switch (spec.hour_zero) {
    case HourZeroRule::kInstantOnly:
      return variable.step == StepType::kInstant;
    case HourZeroRule::kAllButMinMax:
      return variable.step != StepType::kMin && variable.step != StepType::kMax;
  }
  return false;
}

core::Result<std::vector<VariableIndex>> select_variables(const DatasetSpec& spec,
                                                          std::span<const std::string> names) {
  std::vector<bool> known(names.size(), false);
  std::vector<VariableIndex> selected;
  for (VariableIndex i = 0; i < spec.variables.size(); ++i) {
    const Variable& variable = spec.variables[i];
    const std::string path = path_of(spec, variable);
    bool wanted = names.empty();
    for (std::size_t n = 0; n < names.size(); ++n) {
      if (names[n] != path && names[n] != variable.quantity->name) continue;
      wanted = true;
      known[n] = true;
    }
    if (wanted) selected.push_back(i);
  }
  std::vector<std::string> unknown;
  for (std::size_t n = 0; n < names.size(); ++n) {
    if (!known[n]) unknown.push_back("'" + names[n] + "'");
  }
  if (!unknown.empty()) {
    return core::Error(core::ErrorCode::kInvalidArgument,
                       core::text(spec.id, " has no variable ", core::join(unknown, ", ")));
  }
  return selected;
}

std::vector<std::int64_t> labels_of(const DatasetSpec& spec, const Dimension& dimension,
                                    std::uint64_t append_size) {
  std::vector<std::int64_t> labels;
  if (std::holds_alternative<AppendAxis>(dimension.axis)) {
    labels.reserve(append_size);
    for (std::uint64_t i = 0; i < append_size; ++i) {
      const auto after = static_cast<std::int64_t>(i) * spec.append_every;
      labels.push_back((spec.append_start + after).time_since_epoch().count());
    }
  } else if (const auto* const lead = std::get_if<LeadAxis>(&dimension.axis)) {
    for (const LeadRun& run : lead->runs) {
      auto at = labels.empty() ? run.first : run.first + run.every;  // borders count once
      for (; at <= run.last; at += run.every) labels.push_back(core::Seconds(at).count());
    }
  } else if (const auto* const listed = std::get_if<LabelAxis>(&dimension.axis)) {
    labels.assign(listed->labels.begin(), listed->labels.end());
  }
  return labels;
}

std::uint64_t append_coordinate_chunk(const DatasetSpec& spec) {
  if (spec.append_coordinate_chunk != 0) return spec.append_coordinate_chunk;
  const std::chrono::year_month_day start(std::chrono::floor<std::chrono::days>(spec.append_start));
  const int years = std::max(2025 - static_cast<int>(start.year()) + 15, 10);
  const core::Seconds span = std::chrono::days(365) * years;
  return static_cast<std::uint64_t>(span / spec.append_every);
}

}  // namespace icefield::dataset
