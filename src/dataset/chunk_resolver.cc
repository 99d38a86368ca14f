#include "dataset/chunk_resolver.h"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/text.h"
#include "zarr/chunk_key.h"

namespace icefield::dataset {
namespace {

/// One dimension of the dataset: from label to position.
struct Axis {
  std::string_view name;
  bool appended = false;
  std::unordered_map<std::int64_t, std::uint64_t> positions;  // empty for the append dimension
};

/// One dimension of one variable.
struct Side {
  std::size_t axis = 0;  // in State::axes
  std::uint64_t chunk = 1;
  bool one_chunk = false;
};

struct Geometry {
  std::string path;
  zarr::ChunkKeyEncoding encoding;
  std::vector<Side> sides;
  std::optional<std::size_t> level_side;  // the group's own dimension
};

core::Error misplaced(const Geometry& geometry, std::string_view dimension, std::string_view why) {
  return {core::ErrorCode::kInvalidArgument,
          core::text(geometry.path, ": ", dimension, " ", why,
                     ": a virtual chunk must be exactly one message")};
}

core::Result<std::uint32_t> chunk_number(const Geometry& geometry, std::string_view dimension,
                                         std::uint64_t position, std::uint64_t chunk) {
  if (position % chunk != 0) {
    return misplaced(geometry, dimension, "has a label inside of a chunk");
  }
  return static_cast<std::uint32_t>(position / chunk);
}

}  // namespace

struct ChunkResolver::State {
  core::Timestamp append_start{};
  core::Seconds append_every{1};
  std::uint64_t append_size = 0;
  std::vector<Axis> axes;
  std::vector<Geometry> variables;  // by VariableIndex

  std::optional<std::uint64_t> position(const Axis& axis, std::int64_t label) const;
  core::Result<std::optional<zarr::ChunkIndex>> resolve(const Geometry& geometry,
                                                        const OutLoc& location,
                                                        std::uint32_t level_index) const;
};

std::optional<std::uint64_t> ChunkResolver::State::position(const Axis& axis,
                                                            std::int64_t label) const {
  if (!axis.appended) {
    const auto found = axis.positions.find(label);
    if (found == axis.positions.end()) return std::nullopt;
    return found->second;
  }
  const core::Seconds after = core::Timestamp(core::Seconds(label)) - append_start;
  if (after < core::Seconds{0} || after % append_every != core::Seconds{0}) return std::nullopt;
  const auto position = static_cast<std::uint64_t>(after / append_every);
  if (position >= append_size) return std::nullopt;
  return position;
}

core::Result<std::optional<zarr::ChunkIndex>> ChunkResolver::State::resolve(
    const Geometry& geometry, const OutLoc& location, std::uint32_t level_index) const {
  std::vector<std::uint32_t> index;
  index.reserve(geometry.sides.size());
  for (std::size_t i = 0; i < geometry.sides.size(); ++i) {
    const Side& side = geometry.sides[i];
    const Axis& axis = axes[side.axis];
    std::optional<std::uint64_t> at;
    if (geometry.level_side == i && level_index != kNoLevel) {
      at = level_index;
    } else {
      const auto label = std::ranges::find(location, axis.name, &Label::dimension);
      if (label == location.end()) {
        if (!side.one_chunk) return misplaced(geometry, axis.name, "has no label");
        index.push_back(0);
        continue;
      }
      at = position(axis, label->value);
      if (!at) return std::optional<zarr::ChunkIndex>();
    }
    TRY_ASSIGN(const auto number, chunk_number(geometry, axis.name, *at, side.chunk));
    index.push_back(number);
  }
  return std::optional(zarr::ChunkIndex(std::move(index)));
}

ChunkResolver::ChunkResolver(std::unique_ptr<const State> state) : state_(std::move(state)) {}
ChunkResolver::ChunkResolver(ChunkResolver&& other) noexcept = default;
ChunkResolver& ChunkResolver::operator=(ChunkResolver&& other) noexcept = default;
ChunkResolver::~ChunkResolver() = default;

namespace {

core::Result<Geometry> geometry_of(const DatasetSpec& spec, const Variable& variable,
                                   const Template& from) {
  Geometry geometry{path_of(spec, variable), {}, {}, {}};
  const auto node = std::ranges::find(from.nodes, geometry.path, &TemplateNode::path);
  const auto* const array =
      node == from.nodes.end() ? nullptr : std::get_if<zarr::ArrayMetadata>(&node->metadata);
  if (array == nullptr || !array->dimension_names) {
    return core::Error(core::ErrorCode::kInvalidArgument,
                       core::text("the template lacks ", geometry.path, ": run update-template"));
  }
  geometry.encoding = array->chunk_key_encoding;
  for (std::size_t i = 0; i < array->shape.size(); ++i) {
    const auto& name = (*array->dimension_names)[i];
    const auto axis = std::ranges::find(spec.dimensions, name.value_or(""), &Dimension::name);
    if (axis == spec.dimensions.end()) {
      return core::Error(core::ErrorCode::kInvalidArgument,
                         core::text(geometry.path, " has a dimension that ", spec.id, " has not"));
    }
    const std::uint64_t chunk = array->chunk_shape[i];
    geometry.sides.push_back({static_cast<std::size_t>(axis - spec.dimensions.begin()), chunk,
                              array->shape[i] <= chunk});
    if (axis->name == spec.groups[variable.group].name) geometry.level_side = i;
  }
  return geometry;
}

}  // namespace

core::Result<ChunkResolver> ChunkResolver::make(const DatasetSpec& spec, const Template& from) {
  auto state = std::make_unique<State>();
  state->append_start = spec.append_start;
  state->append_every = spec.append_every;
  state->append_size = from.append_size;
  for (const Dimension& dimension : spec.dimensions) {
    Axis axis{dimension.name, std::holds_alternative<AppendAxis>(dimension.axis), {}};
    if (!axis.appended) {
      for (const auto label : labels_of(spec, dimension, 0)) {
        axis.positions.emplace(label, axis.positions.size());
      }
    }
    state->axes.push_back(std::move(axis));
  }
  for (const Variable& variable : spec.variables) {
    TRY_ASSIGN(auto geometry, geometry_of(spec, variable, from));
    state->variables.push_back(std::move(geometry));
  }
  return ChunkResolver(std::move(state));
}

core::Result<std::optional<zarr::ChunkIndex>> ChunkResolver::chunk_index(
    VariableIndex variable, const OutLoc& location) const {
  return state_->resolve(state_->variables[variable], location, kNoLevel);
}

core::Result<std::optional<zarr::ChunkIndex>> ChunkResolver::chunk_index(
    const Match& match, const OutLoc& location) const {
  return state_->resolve(state_->variables[match.variable], location, match.level_index);
}

std::string ChunkResolver::store_key(VariableIndex variable, const zarr::ChunkIndex& index) const {
  const Geometry& geometry = state_->variables[variable];
  return core::text(geometry.path, "/", zarr::chunk_key(geometry.encoding, index));
}

}  // namespace icefield::dataset
