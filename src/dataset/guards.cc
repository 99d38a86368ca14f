#include "dataset/guards.h"

#include <algorithm>
#include <optional>
#include <set>

#include "core/text.h"
#include "zarr/metadata/extension.h"

namespace icefield::dataset {
namespace {

/// What must not change: shown in messages as it is compared.
struct Structure {
  std::vector<std::string> dims;
  std::string data_type;
  std::vector<std::uint64_t> chunks;
  std::vector<std::uint64_t> shards;  // empty: not sharded
};

Structure structure_of(const zarr::ArrayMetadata& array) {
  Structure structure;
  for (const auto& name :
       array.dimension_names.value_or(std::vector<std::optional<std::string>>())) {
    structure.dims.push_back(name.value_or(""));
  }
  structure.data_type = zarr::name_of(array.data_type);
  structure.chunks = array.chunk_shape;
  const core::Json* const inner =
      !array.codecs.empty() && array.codecs[0].name == "sharding_indexed"
          ? array.codecs[0].configuration.find("chunk_shape")
          : nullptr;
  if (inner == nullptr || !inner->is_array()) return structure;
  structure.shards = array.chunk_shape;
  structure.chunks.clear();
  for (const core::Json& extent : inner->as_array()) {
    if (extent.is_integer()) structure.chunks.push_back(extent.as_uint64());
  }
  return structure;
}

std::string shown(const std::string& text) {
  return text;
}
std::string shown(const std::vector<std::string>& names) {
  return "(" + core::join(names, ", ") + ")";
}
std::string shown(const std::vector<std::uint64_t>& extents) {
  if (extents.empty()) return "none";
  std::vector<std::string> texts;
  texts.reserve(extents.size());
  for (const auto extent : extents) texts.push_back(std::to_string(extent));
  return "(" + core::join(texts, ", ") + ")";
}

template <typename T>
void compare(const std::string& field, const T& existing, const T& wanted,
             std::vector<std::string>& lines) {
  if (existing == wanted) return;
  lines.push_back(core::text(field, ": existing store has ", shown(existing),
                             ", update template has ", shown(wanted)));
}

void forget_append(Structure& structure, const std::string& append_dimension) {
  for (std::size_t i = 0; i < structure.dims.size(); ++i) {
    if (structure.dims[i] != append_dimension) continue;
    if (i < structure.chunks.size()) structure.chunks[i] = 0;
    if (i < structure.shards.size()) structure.shards[i] = 0;
  }
}

/// Positions of every array along the append dimension, by group ("/" for the root).
std::map<std::string, std::uint64_t> append_sizes(const TreeStructure& tree,
                                                  const std::string& append_dimension) {
  std::map<std::string, std::uint64_t> sizes;
  for (const auto& [path, array] : tree.arrays) {
    const std::size_t slash = path.rfind('/');
    const std::string group = slash == std::string::npos ? "/" : path.substr(0, slash);
    if (path.substr(slash == std::string::npos ? 0 : slash + 1) != append_dimension) continue;
    if (array.shape.size() == 1) sizes[group] = array.shape[0];
  }
  return sizes;
}

/// "/: store has 12, template has 9" for every group of both where `refused` holds.
template <typename Refused>
std::vector<std::string> size_lines(const TreeStructure& existing, const TreeStructure& wanted,
                                    const std::string& append_dimension, const Refused& refused) {
  std::vector<std::string> lines;
  const auto wanted_sizes = append_sizes(wanted, append_dimension);
  for (const auto& [group, size] : append_sizes(existing, append_dimension)) {
    const auto other = wanted_sizes.find(group);
    if (other == wanted_sizes.end() || !refused(size, other->second)) continue;
    lines.push_back(core::text(group, ": store has ", size, ", template has ", other->second));
  }
  return lines;
}

core::Error refusal(const std::string& heading, const std::vector<std::string>& lines) {
  return {core::ErrorCode::kInvalidArgument, heading + "\n- " + core::join(lines, "\n- ")};
}

}  // namespace

std::vector<std::string> structure_mismatches(const TreeStructure& existing,
                                              const TreeStructure& wanted,
                                              const std::string& append_dimension,
                                              AppendChunks append_chunks) {
  std::vector<std::string> lines;
  for (const auto& [path, array] : existing.arrays) {
    const auto other = wanted.arrays.find(path);
    if (other == wanted.arrays.end()) {
      lines.push_back(path + ": in existing store but missing from update template");
      continue;
    }
    Structure here = structure_of(array);
    Structure there = structure_of(other->second);
    if (append_chunks == AppendChunks::kIgnored) {
      forget_append(here, append_dimension);
      forget_append(there, append_dimension);
    }
    compare(path + ".dims", here.dims, there.dims, lines);
    compare(path + ".dtype", here.data_type, there.data_type, lines);
    compare(path + ".chunks", here.chunks, there.chunks, lines);
    compare(path + ".shards", here.shards, there.shards, lines);
  }
  for (const auto& [path, values] : existing.dimension_values) {
    const auto other = wanted.dimension_values.find(path);
    if (other != wanted.dimension_values.end() && other->second != values) {
      lines.push_back("coord " + path + ": values differ from the existing store");
    }
  }
  return lines;
}

core::Status check_update_structure(const TreeStructure& existing, const TreeStructure& wanted,
                                    const std::string& append_dimension,
                                    AppendChunks append_chunks) {
  const auto lines = structure_mismatches(existing, wanted, append_dimension, append_chunks);
  if (lines.empty()) return {};
  return refusal("Update template structure does not match the existing store.", lines);
}

core::Status check_no_retraction(const TreeStructure& existing, const TreeStructure& wanted,
                                 const std::string& append_dimension) {
  const auto lines =
      size_lines(existing, wanted, append_dimension,
                 [](std::uint64_t store, std::uint64_t made) { return made < store; });
  if (lines.empty()) return {};
  return refusal(
      "Update template would retract already-published data along " + append_dimension + ":",
      lines);
}

core::Status check_overwrite(const TreeStructure& existing, const TreeStructure& wanted,
                             const std::string& append_dimension, AppendChunks append_chunks,
                             const OverwriteRequest& request) {
  auto lines = structure_mismatches(existing, wanted, append_dimension, append_chunks);
  for (auto& line : size_lines(existing, wanted, append_dimension,
                               [](auto store, auto made) { return made < store; })) {
    lines.push_back(line + "; trimming an existing store is never supported");
  }
  if (!request.metadata) {
    for (const auto& [path, array] : wanted.arrays) {
      if (existing.arrays.contains(path)) continue;
      lines.push_back(path + ": not in the store; pass --overwrite-metadata to add it");
    }
  }
  if (!request.chunks || !request.metadata || !request.explicit_append_end) {
    for (auto& line : size_lines(existing, wanted, append_dimension,
                                 [](auto store, auto made) { return made > store; })) {
      lines.push_back(line +
                      "; to extend it pass --overwrite-chunks, --overwrite-metadata and an "
                      "explicit append-dim end");
    }
  }
  if (lines.empty()) return {};
  return refusal("Template is not safe to write over the existing store:", lines);
}

}  // namespace icefield::dataset
