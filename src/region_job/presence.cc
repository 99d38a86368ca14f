#include "region_job/presence.h"

#include <map>
#include <string>
#include <utility>

#include "core/text.h"

namespace icefield::region_job {
namespace {

using core::Error;
using core::ErrorCode;

/// Probes into one array: which files asked, and their positions, flattened.
struct ArrayProbes {
  std::vector<std::size_t> files;
  std::vector<std::uint32_t> indices;
};

bool inside(const zarr::ChunkIndex& index, const std::vector<icechunk::DimensionShape>& shape) {
  const auto& positions = index.value();
  if (positions.size() != shape.size()) return false;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (positions[axis] >= shape[axis].num_chunks) return false;
  }
  return true;
}

core::Status ask(const icechunk::Session& session, const std::string& path,
                 const ArrayProbes& probes, std::vector<bool>& present) {
  TRY_ASSIGN(const auto found, session.have_chunks(path, probes.indices));
  for (std::size_t i = 0; i < probes.files.size(); ++i) present[probes.files[i]] = found[i];
  return {};
}

}  // namespace

core::Result<Probe> probe_of(const dataset::DatasetSpec& spec,
                             const dataset::ChunkResolver& resolver,
                             const dataset::SourceFile& file,
                             std::span<const dataset::VariableIndex> variables) {
  const auto carried = spec.virtual_source->variables_in(spec, file, variables);
  if (carried.empty()) {
    return Error(ErrorCode::kInvalidArgument,
                 spec.virtual_source->get_url(spec, file) + ": carries no variable of the job");
  }
  const auto variable = dataset::representative_var(spec, carried);
  TRY_ASSIGN(auto index, resolver.chunk_index(
                             variable, dataset::representative_probe_loc(spec, file, variable)));
  if (!index) {
    return Error(ErrorCode::kInvalidArgument,
                 spec.virtual_source->get_url(spec, file) + ": not on the dataset's coordinates");
  }
  return Probe{.variable = variable, .index = *std::move(index)};
}

core::Result<std::vector<bool>> filter_already_present(
    const dataset::DatasetSpec& spec, const dataset::ChunkResolver& resolver,
    std::span<const dataset::SourceFile> files, std::span<const dataset::VariableIndex> variables,
    const icechunk::Session& session) {
  std::map<dataset::VariableIndex, ArrayProbes> by_variable;
  std::map<dataset::VariableIndex, std::vector<icechunk::DimensionShape>> shapes;
  for (std::size_t file = 0; file < files.size(); ++file) {
    TRY_ASSIGN(const auto probe, probe_of(spec, resolver, files[file], variables));
    if (!shapes.contains(probe.variable)) {
      const auto node = session.node("/" + dataset::path_of(spec, spec.variables[probe.variable]));
      if (!node && node.error().code() != ErrorCode::kNotFound) return Error(node.error());
      shapes[probe.variable] = node ? node->shape : std::vector<icechunk::DimensionShape>{};
    }
    if (!inside(probe.index, shapes[probe.variable])) continue;
    auto& probes = by_variable[probe.variable];
    probes.files.push_back(file);
    for (const auto position : probe.index.value()) {
      probes.indices.push_back(position);
    }
  }
  std::vector<bool> present(files.size(), false);
  for (const auto& [variable, probes] : by_variable) {
    TRY(ask(session, "/" + dataset::path_of(spec, spec.variables[variable]), probes, present));
  }
  return present;
}

}  // namespace icefield::region_job
