#include "datasets/noaa/hrrr/source_files.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>

#include "dataset/time_axis.h"
#include "datasets/noaa/index_window.h"

namespace icefield::datasets::noaa::hrrr {
namespace {

/// "{level} mb" and 1000 give "1000 mb".
std::string level_text(std::string_view pattern, std::int64_t label) {
  constexpr std::string_view kPlace = "{level}";
  std::string text(pattern);
  const std::size_t at = text.find(kPlace);
  if (at != std::string::npos) text.replace(at, kPlace.size(), std::to_string(label));
  return text;
}

std::span<const std::int64_t> levels_of(const dataset::DatasetSpec& spec,
                                        const dataset::Variable& variable) {
  const auto* const dimension = dataset::find_dimension(spec, spec.groups[variable.group].name);
  if (dimension == nullptr) return {};
  const auto* const axis = std::get_if<dataset::LabelAxis>(&dimension->axis);
  return axis == nullptr ? std::span<const std::int64_t>() : axis->labels;
}

void add_spelling(const dataset::DatasetSpec& spec, dataset::VariableIndex index,
                  std::string_view element, const std::string& window,
                  std::vector<dataset::WantedMessage>& wanted) {
  const auto& variable = spec.variables[index];
  if (variable.group == 0) {
    wanted.push_back(
        {std::string(element), std::string(variable.source.level), window, {.variable = index}});
    return;
  }
  const auto labels = levels_of(spec, variable);
  for (std::uint32_t i = 0; i < labels.size(); ++i) {
    wanted.push_back(
        {std::string(element), level_text(variable.source.level, labels[i]), window, {index, i}});
  }
}

}  // namespace

std::vector<dataset::SourceFile> generate_source_file_coords(
    const dataset::DatasetSpec& spec, const dataset::Region& region,
    std::span<const dataset::VariableIndex> variables) {
  std::vector<dataset::SourceFile> kinds;  // lead and file type of every file of one init
  for (const auto& dimension : spec.dimensions) {
    if (!std::holds_alternative<dataset::LeadAxis>(dimension.axis)) continue;
    for (const auto lead : dataset::labels_of(spec, dimension, 0)) {
      for (std::size_t type = 0; type < std::size(kFileTypes); ++type) {
        const dataset::SourceFile kind{.append = {},
                                       .lead = core::Seconds(lead),
                                       .file_type = static_cast<std::uint8_t>(type)};
        if (!variables_in(spec, kind, variables).empty()) kinds.push_back(kind);
      }
    }
  }
  std::vector<dataset::SourceFile> files;
  files.reserve(region.size() * kinds.size());
  for (std::uint64_t position = region.begin; position < region.end; ++position) {
    for (dataset::SourceFile file : kinds) {
      file.append = dataset::label_at(spec, position);
      files.push_back(file);
    }
  }
  return files;
}

std::string get_url(const dataset::DatasetSpec& spec, const dataset::SourceFile& file) {
  const auto day = std::chrono::floor<std::chrono::days>(file.append);
  const std::chrono::year_month_day date(day);
  const auto hour = std::chrono::floor<std::chrono::hours>(file.append - day).count();
  const auto lead = std::chrono::floor<std::chrono::hours>(file.lead).count();
  std::array<char, 96> key{};
  const std::string type(kFileTypes[file.file_type]);
  std::snprintf(key.data(), key.size(), "hrrr.%04d%02u%02u/conus/hrrr.t%02dz.wrf%sf%02d.grib2",
                static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()), static_cast<int>(hour), type.c_str(),
                static_cast<int>(lead));
  return std::string(spec.virtual_config->containers[0].url_prefix) + key.data();
}

std::string get_index_url(const dataset::DatasetSpec& spec, const dataset::SourceFile& file) {
  return get_url(spec, file) + ".idx";
}

std::vector<dataset::VariableIndex> variables_in(
    const dataset::DatasetSpec& spec, const dataset::SourceFile& file,
    std::span<const dataset::VariableIndex> variables) {
  std::vector<dataset::VariableIndex> carried;
  for (const auto index : variables) {
    const auto& variable = spec.variables[index];
    if (variable.source.file_type != file.file_type) continue;
    const bool at_start = file.lead == core::Seconds{0};
    if (!at_start || dataset::has_hour_0_values(spec, variable)) carried.push_back(index);
  }
  return carried;
}

std::vector<dataset::WantedMessage> wanted_messages(
    const dataset::DatasetSpec& spec, const dataset::SourceFile& file,
    std::span<const dataset::VariableIndex> variables) {
  std::vector<dataset::WantedMessage> wanted;
  for (const auto index : variables_in(spec, file, variables)) {
    const auto& variable = spec.variables[index];
    const std::string window = index_window(variable, file.lead);
    add_spelling(spec, index, variable.source.element, window, wanted);
    for (const auto other : variable.source.alternatives) {
      add_spelling(spec, index, other, window, wanted);
    }
  }
  return wanted;
}

}  // namespace icefield::datasets::noaa::hrrr
