#include "region_job/store_tree.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <variant>

#include "core/bytes.h"
#include "core/text.h"
#include "zarr/codec/codec_chain.h"
#include "zarr/metadata/metadata_codec.h"

namespace icefield::region_job {

std::string store_path(std::string_view template_path) {
  return core::text("/", template_path);
}

namespace {

using core::Error;
using core::ErrorCode;

/// True for coordinates of a dimension other than the append one: "lead_time",
/// "pressure_level/pressure_level".
bool is_fixed_dimension(std::string_view path, const dataset::DatasetSpec& spec) {
  const auto slash = path.rfind('/');
  const auto name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  return dataset::find_dimension(spec, name) != nullptr && name != spec.append_dimension().name;
}

core::Result<core::Bytes> decode_values(const zarr::ArrayMetadata& array,
                                        std::span<const std::byte> encoded) {
  TRY_ASSIGN(const auto chain, zarr::CodecChain::of(array));
  return chain.decode(encoded);
}

/// Values of a coordinate that is one chunk: all of this project's dimension coordinates are.
core::Result<core::Bytes> coordinate_values(const icechunk::Session& session,
                                            const std::string& path,
                                            const zarr::ArrayMetadata& array) {
  const std::vector<std::uint32_t> first(array.shape.size(), 0);
  TRY_ASSIGN(const auto encoded, session.read_chunk(path, first));
  if (!encoded) return core::Bytes{};
  return decode_values(array, *encoded);
}

/// Arrays of several groups share a chunk: its bytes are stored once and referenced by each.
core::Status set_chunk(icechunk::Session& session, const dataset::CoordinateChunk& chunk) {
  const auto& index = chunk.index.value();
  std::optional<icechunk::ChunkReference> stored;
  for (const auto& path : chunk.array_paths) {
    TRY_ASSIGN(const auto present, session.read_chunk(store_path(path), index));
    if (present && *present == chunk.bytes) continue;
    if (!stored) {
      TRY_ASSIGN(stored, session.store_chunk(chunk.bytes));
    }
    TRY(session.set_reference(store_path(path), index, *stored));
  }
  return {};
}

}  // namespace

core::Status write_tree(icechunk::Session& session, const dataset::Template& tree,
                        std::span<const dataset::CoordinateChunk> chunks) {
  for (const auto& node : tree.nodes) {
    const auto text = zarr::write_metadata(node.metadata);
    TRY_ASSIGN([[maybe_unused]] const bool changed,
               session.set_metadata(store_path(node.path), core::as_bytes(text)));
  }
  for (const auto& chunk : chunks) TRY(set_chunk(session, chunk));
  return {};
}

core::Result<dataset::TreeStructure> read_structure(const icechunk::Session& session,
                                                    const dataset::DatasetSpec& spec) {
  dataset::TreeStructure structure;
  for (const auto& node : session.nodes()) {
    if (!node.is_array) continue;
    auto array = zarr::read_array_metadata(core::as_text(node.metadata.view()));
    if (!array) return std::move(array).error().within(node.path);
    const auto path = node.path.substr(1);
    if (is_fixed_dimension(path, spec)) {
      auto values = coordinate_values(session, node.path, *array);
      if (!values) return std::move(values).error().within(node.path);
      structure.dimension_values.emplace(path, *std::move(values));
    }
    structure.arrays.emplace(path, *std::move(array));
  }
  return structure;
}

core::Result<dataset::TreeStructure> structure_of(const dataset::Template& tree,
                                                  std::span<const dataset::CoordinateChunk> chunks,
                                                  const dataset::DatasetSpec& spec) {
  dataset::TreeStructure structure;
  for (const auto& node : tree.nodes) {
    if (const auto* array = std::get_if<zarr::ArrayMetadata>(&node.metadata)) {
      structure.arrays.emplace(node.path, *array);
    }
  }
  for (const auto& chunk : chunks) {
    for (const auto& path : chunk.array_paths) {
      if (!is_fixed_dimension(path, spec)) continue;
      TRY_ASSIGN(auto values, decode_values(structure.arrays.at(path), chunk.bytes));
      structure.dimension_values.emplace(path, std::move(values));
    }
  }
  return structure;
}

core::Result<std::optional<std::uint64_t>> committed_append_size(const icechunk::Session& session,
                                                                 const dataset::DatasetSpec& spec) {
  std::optional<std::uint64_t> size;
  const auto name = spec.append_dimension().name;
  for (const auto& group : spec.groups) {
    const auto path =
        group.name.empty() ? core::text("/", name) : core::text("/", group.name, "/", name);
    const auto node = session.node(path);
    if (!node) {
      if (node.error().code() == ErrorCode::kNotFound) continue;
      return Error(node.error());
    }
    const auto length = node->shape.empty() ? 0 : node->shape.front().array_length;
    if (size && *size != length) {
      return Error(ErrorCode::kCorrupt,
                   core::text("groups of the store disagree on ", name, ": ", *size, " and ",
                              length, " at ", path, "; this requires manual repair"));
    }
    size = length;
  }
  return size;
}

}  // namespace icefield::region_job
