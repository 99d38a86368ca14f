#include "sample_source/inventory.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <variant>

#include "core/text.h"

namespace icefield::sample_source {
namespace {

using dataset::VariableIndex;

std::vector<VariableIndex> every_variable(const dataset::DatasetSpec& spec) {
  std::vector<VariableIndex> all(spec.variables.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<VariableIndex>(i);
  return all;
}

/// Hour after initialization at which the window that ends at `lead_hour` began.
std::int32_t window_start(dataset::WindowReset reset, std::int32_t lead_hour) {
  if (reset == dataset::kForever || lead_hour == 0) return 0;
  const auto hours = static_cast<std::int32_t>(reset.count());
  const std::int32_t into = lead_hour % hours;
  return lead_hour - (into == 0 ? hours : into);
}

Statistic statistic_of(dataset::StepType step) {
  switch (step) {
    case dataset::StepType::kAvg:
      return Statistic::kAverage;
    case dataset::StepType::kMax:
      return Statistic::kMaximum;
    case dataset::StepType::kMin:
      return Statistic::kMinimum;
    case dataset::StepType::kInstant:
    case dataset::StepType::kAccum:
      return Statistic::kAccumulation;
  }
  return Statistic::kAccumulation;
}

std::int32_t lead_hour_of(const dataset::SourceFile& file) {
  return static_cast<std::int32_t>(
      std::chrono::duration_cast<std::chrono::hours>(file.lead).count());
}

/// The labels of the group's own dimension; none for the root.
std::span<const std::int64_t> level_labels(const dataset::DatasetSpec& spec,
                                           const dataset::Group& group) {
  const auto* dimension = dataset::find_dimension(spec, group.name);
  const auto* axis =
      dimension == nullptr ? nullptr : std::get_if<dataset::LabelAxis>(&dimension->axis);
  return axis == nullptr ? std::span<const std::int64_t>{} : axis->labels;
}

std::string with_level(std::string_view pattern, std::int64_t label) {
  constexpr std::string_view kPlace = "{level}";
  std::string text(pattern);
  const auto at = text.find(kPlace);
  if (at != std::string::npos) text.replace(at, kPlace.size(), core::text(label));
  return text;
}

/// The messages of one variable, one per selected level.
void add_records(const dataset::DatasetSpec& spec, const dataset::Variable& variable,
                 std::size_t levels, const Record& prototype, std::vector<Record>& records) {
  Record record = prototype;
  record.element = std::string(variable.source.element);
  const auto labels = level_labels(spec, spec.groups[variable.group]);
  if (labels.empty()) {
    record.level = std::string(variable.source.level);
    records.push_back(std::move(record));
    return;
  }
  for (const std::size_t at : spread_levels(labels.size(), levels)) {
    record.level = with_level(variable.source.level, labels[at]);
    record.level_number = static_cast<std::int32_t>(at);
    records.push_back(record);
  }
}

/// Spreads the extra messages among the others, so that some stand first, in the midst and last.
std::vector<Record> interleave(std::vector<Record> used, std::vector<Record> extra) {
  std::vector<Record> records;
  records.reserve(used.size() + extra.size());
  std::size_t placed = 0;
  for (std::size_t i = 0; i < extra.size(); ++i) {
    const std::size_t until = extra.size() == 1 ? 0 : i * used.size() / (extra.size() - 1);
    for (; placed < until; ++placed) records.push_back(std::move(used[placed]));
    records.push_back(std::move(extra[i]));
  }
  for (; placed < used.size(); ++placed) records.push_back(std::move(used[placed]));
  return records;
}

void keep_first_of_each(std::vector<Record>& records) {
  std::set<std::tuple<std::string, std::string, std::string>> seen;
  std::erase_if(records, [&seen](const Record& record) {
    return !seen.emplace(record.element, record.level, window_text(record)).second;
  });
}

}  // namespace

core::Result<std::vector<VariableIndex>> select_sample_variables(
    const dataset::DatasetSpec& spec, const Provider& provider,
    const std::vector<std::string>& names) {
  const auto all = every_variable(spec);
  if (std::ranges::find(names, "all") != names.end()) return all;
  const std::vector<std::string> few(provider.few_variables.begin(), provider.few_variables.end());
  TRY_ASSIGN(auto selected, dataset::select_variables(spec, names.empty() ? few : names));
  const auto& source = *spec.virtual_source;
  for (std::size_t type = 0; type < source.file_types.size(); ++type) {
    const dataset::SourceFile file{.append = spec.append_start,
                                   .file_type = static_cast<std::uint8_t>(type)};
    const auto carried = source.variables_in(spec, file, all);
    if (!carried.empty()) selected.push_back(dataset::representative_var(spec, carried));
  }
  std::ranges::sort(selected);
  selected.erase(std::unique(selected.begin(), selected.end()), selected.end());
  return selected;
}

std::vector<std::size_t> spread_levels(std::size_t count, std::size_t wanted) {
  std::vector<std::size_t> positions;
  const std::size_t taken = std::min(count, wanted);
  for (std::size_t i = 0; i < taken; ++i) {
    positions.push_back(taken == 1 ? 0 : i * (count - 1) / (taken - 1));
  }
  return positions;
}

std::vector<Record> list_records(const dataset::DatasetSpec& spec, const Provider& provider,
                                 const dataset::SourceFile& file, const Selection& selection) {
  const auto carried = spec.virtual_source->variables_in(spec, file, selection.variables);
  const std::int32_t lead_hour = lead_hour_of(file);
  std::vector<Record> used;
  for (const VariableIndex index : selection.variables) {
    const auto& variable = spec.variables[index];
    if (variable.source.file_type != file.file_type) continue;
    Record prototype{.lead_hour = lead_hour};
    prototype.nothing_yet = std::ranges::find(carried, index) == carried.end();
    if (variable.source.window_reset != dataset::kNoWindow) {
      prototype.interval =
          Interval{.statistic = statistic_of(variable.step),
                   .from_hour = window_start(variable.source.window_reset, lead_hour),
                   .to_hour = lead_hour};
    }
    add_records(spec, variable, selection.levels, prototype, used);
  }
  std::vector<Record> extra;
  const auto type = spec.virtual_source->file_types[file.file_type];
  for (const auto& message : provider.extra_messages) {
    if (message.file_type != type || extra.size() == selection.extra_messages) continue;
    extra.push_back({.element = std::string(message.element),
                     .level = std::string(message.level),
                     .lead_hour = lead_hour});
  }
  auto records = interleave(std::move(used), std::move(extra));
  keep_first_of_each(records);
  return records;
}

}  // namespace icefield::sample_source
