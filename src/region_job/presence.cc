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
  std::vector<icechunk::DimensionShape> shape;  // empty: nothing can be there
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

/// Representative variables by kind of file: files of one type and lead carry the same variables.
class Representatives {
 public:
  Representatives(const dataset::DatasetSpec& spec,
                  std::span<const dataset::VariableIndex> variables)
      : spec_(spec), variables_(variables) {}

  core::Result<dataset::VariableIndex> of(const dataset::SourceFile& file) {
    const Kind kind{file.file_type, file.lead.count()};
    if (const auto found = known_.find(kind); found != known_.end()) return found->second;
    const auto carried = spec_.virtual_source->variables_in(spec_, file, variables_);
    if (carried.empty()) {
      return Error(ErrorCode::kInvalidArgument,
                   spec_.virtual_source->get_url(spec_, file) + ": carries no variable of the job");
    }
    return known_[kind] = dataset::representative_var(spec_, carried);
  }

 private:
  using Kind = std::pair<std::uint8_t, std::int64_t>;
  const dataset::DatasetSpec& spec_;
  std::span<const dataset::VariableIndex> variables_;
  std::map<Kind, dataset::VariableIndex> known_;
};

core::Result<zarr::ChunkIndex> probe_index(const dataset::DatasetSpec& spec,
                                           const dataset::ChunkResolver& resolver,
                                           const dataset::SourceFile& file,
                                           dataset::VariableIndex variable) {
  TRY_ASSIGN(auto index, resolver.chunk_index(
                             variable, dataset::representative_probe_loc(spec, file, variable)));
  if (!index) {
    return Error(ErrorCode::kInvalidArgument,
                 spec.virtual_source->get_url(spec, file) + ": not on the dataset's coordinates");
  }
  return *std::move(index);
}

/// Shape of the array in chunks; empty when the store has no such array or it holds no chunk.
core::Result<std::vector<icechunk::DimensionShape>> shape_if_filled(
    const icechunk::Session& session, const std::string& path) {
  const auto node = session.node(path);
  if (!node) {
    if (node.error().code() != ErrorCode::kNotFound) return Error(node.error());
    return std::vector<icechunk::DimensionShape>{};
  }
  bool filled = false;
  TRY(session.for_each_chunk(path, [&filled](const icechunk::ChunkEntry& /*entry*/) {
    filled = true;
    return false;
  }));
  return filled ? node->shape : std::vector<icechunk::DimensionShape>{};
}

}  // namespace

core::Result<Probe> probe_of(const dataset::DatasetSpec& spec,
                             const dataset::ChunkResolver& resolver,
                             const dataset::SourceFile& file,
                             std::span<const dataset::VariableIndex> variables) {
  TRY_ASSIGN(const auto variable, Representatives(spec, variables).of(file));
  TRY_ASSIGN(auto index, probe_index(spec, resolver, file, variable));
  return Probe{.variable = variable, .index = std::move(index)};
}

core::Result<std::vector<bool>> filter_already_present(
    const dataset::DatasetSpec& spec, const dataset::ChunkResolver& resolver,
    std::span<const dataset::SourceFile> files, std::span<const dataset::VariableIndex> variables,
    const icechunk::Session& session) {
  Representatives representatives(spec, variables);
  std::map<dataset::VariableIndex, ArrayProbes> by_variable;
  for (std::size_t file = 0; file < files.size(); ++file) {
    TRY_ASSIGN(const auto variable, representatives.of(files[file]));
    const auto [found, added] = by_variable.try_emplace(variable);
    auto& probes = found->second;
    if (added) {
      TRY_ASSIGN(probes.shape,
                 shape_if_filled(session, "/" + dataset::path_of(spec, spec.variables[variable])));
    }
    if (probes.shape.empty()) continue;
    TRY_ASSIGN(const auto index, probe_index(spec, resolver, files[file], variable));
    if (!inside(index, probes.shape)) continue;
    probes.files.push_back(file);
    const auto& positions = index.value();
    probes.indices.insert(probes.indices.end(), positions.begin(), positions.end());
  }
  std::vector<bool> present(files.size(), false);
  for (const auto& [variable, probes] : by_variable) {
    if (probes.files.empty()) continue;
    TRY(ask(session, "/" + dataset::path_of(spec, spec.variables[variable]), probes, present));
  }
  return present;
}

}  // namespace icefield::region_job
