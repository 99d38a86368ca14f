#include "dataset/source_file.h"

#include <algorithm>

namespace icefield::dataset {

VariableIndex representative_var(const DatasetSpec& spec, std::span<const VariableIndex> carried) {
  const auto* const source = spec.virtual_source;
  if (source != nullptr && source->representative_var != nullptr) {
    return source->representative_var(spec, carried);
  }
  const auto instant = std::ranges::find_if(carried, [&](VariableIndex variable) {
    return spec.variables[variable].step == StepType::kInstant;
  });
  return instant == carried.end() ? carried.front() : *instant;
}

OutLoc out_loc(const DatasetSpec& spec, const SourceFile& file) {
  OutLoc location;
  for (const Dimension& dimension : spec.dimensions) {
    if (std::holds_alternative<AppendAxis>(dimension.axis)) {
      location.push_back({dimension.name, file.append.time_since_epoch().count()});
    } else if (std::holds_alternative<LeadAxis>(dimension.axis)) {
      location.push_back({dimension.name, file.lead.count()});
    } else if (dimension.name == "ensemble_member" && file.member >= 0) {
      location.push_back({dimension.name, file.member});
    }
  }
  return location;
}

OutLoc representative_probe_loc(const DatasetSpec& spec, const SourceFile& file,
                                VariableIndex variable) {
  OutLoc location = out_loc(spec, file);
  const Group& group = spec.groups[spec.variables[variable].group];
  for (std::size_t i = 0; i < group.dims.size(); ++i) {
    const Dimension* const dimension = find_dimension(spec, group.dims[i]);
    if (dimension == nullptr) continue;
    const auto* const labels = std::get_if<LabelAxis>(&dimension->axis);
    if (labels == nullptr || labels->labels.size() <= group.chunks[i]) continue;
    if (std::ranges::find(location, dimension->name, &Label::dimension) != location.end()) continue;
    location.push_back({dimension->name, labels->labels.front()});
  }
  return location;
}

const Container* container_of(const VirtualConfig& config, std::string_view url) {
  const Container* best = nullptr;
  for (const Container& container : config.containers) {
    if (!url.starts_with(container.url_prefix)) continue;
    if (best == nullptr || container.url_prefix.size() > best->url_prefix.size()) {
      best = &container;
    }
  }
  return best;
}

std::optional<std::string> stored_location(const VirtualConfig& config, std::string_view url) {
  const Container* const container = container_of(config, url);
  if (container == nullptr || url.size() == container->url_prefix.size()) return std::nullopt;
  std::string location = "vcc://";
  location += container->name;
  location += '/';
  location += url.substr(container->url_prefix.size());
  return location;
}

}  // namespace icefield::dataset
