#include "icechunk/session/node_document.h"

#include <cstdint>
#include <limits>
#include <utility>

#include "core/bytes.h"
#include "core/json.h"
#include "core/text.h"

namespace icefield::icechunk {
namespace {

using core::Json;

core::Error invalid(const std::string& what) {
  return core::Error(core::ErrorCode::kInvalidArgument, "zarr.json: " + what);
}

core::Result<std::vector<std::uint64_t>> lengths(const Json* list, const std::string& name) {
  if (list == nullptr || !list->is_array()) return invalid(name + " is not a list");
  std::vector<std::uint64_t> values;
  for (const Json& item : list->as_array()) {
    if (!item.is_unsigned()) return invalid(name + " holds something else than sizes");
    values.push_back(item.as_uint64());
  }
  return values;
}

core::Result<std::uint32_t> as_chunk_count(std::uint64_t count) {
  if (count > std::numeric_limits<std::uint32_t>::max()) return invalid("too many chunks");
  return static_cast<std::uint32_t>(count);
}

/// Chunks that one dimension of a rectilinear grid lists: sizes, or pairs [size, repetitions].
core::Result<std::uint64_t> listed_chunks(const Json& dimension) {
  if (!dimension.is_array()) return invalid("chunk_shapes of a dimension is not a list");
  std::uint64_t count = 0;
  for (const Json& item : dimension.as_array()) {
    if (item.is_unsigned()) {
      ++count;
    } else if (item.is_array() && item.as_array().size() == 2 && item.as_array()[1].is_unsigned() &&
               item.as_array()[1].as_uint64() <= std::numeric_limits<std::uint32_t>::max()) {
      count += item.as_array()[1].as_uint64();
    } else {
      return invalid("chunk_shapes holds something else than sizes and [size, count]");
    }
  }
  return count;
}

core::Result<std::vector<std::uint64_t>> regular_counts(const Json& configuration,
                                                        const std::vector<std::uint64_t>& shape) {
  TRY_ASSIGN(auto chunks, lengths(configuration.find("chunk_shape"), "chunk_shape"));
  if (chunks.size() != shape.size()) return invalid("shape and chunk_shape differ in rank");
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const std::uint64_t chunk = chunks[d];
    chunks[d] = chunk == 0 ? 0 : shape[d] / chunk + (shape[d] % chunk == 0 ? 0 : 1);
  }
  return chunks;
}

core::Result<std::vector<std::uint64_t>> rectilinear_counts(
    const Json& configuration, const std::vector<std::uint64_t>& shape) {
  const Json* dimensions = configuration.find("chunk_shapes");
  if (dimensions == nullptr || !dimensions->is_array() ||
      dimensions->as_array().size() != shape.size()) {
    return invalid("chunk_shapes is not a list with one entry per dimension");
  }
  std::vector<std::uint64_t> counts;
  for (const Json& dimension : dimensions->as_array()) {
    TRY_ASSIGN(const auto count, listed_chunks(dimension));
    counts.push_back(count);
  }
  return counts;
}

core::Result<std::vector<DimensionShape>> parse_shape(const Json& document) {
  TRY_ASSIGN(const auto shape, lengths(document.find("shape"), "shape"));
  const Json* grid = document.find("chunk_grid");
  const Json* name = grid == nullptr ? nullptr : grid->find("name");
  const Json* configuration = grid == nullptr ? nullptr : grid->find("configuration");
  if (name == nullptr || configuration == nullptr || !name->is_string()) {
    return invalid("chunk_grid needs name and configuration");
  }
  std::vector<std::uint64_t> counts;
  if (name->as_string() == "regular") {
    TRY_ASSIGN(counts, regular_counts(*configuration, shape));
  } else if (name->as_string() == "rectilinear") {
    TRY_ASSIGN(counts, rectilinear_counts(*configuration, shape));
  } else {
    return invalid("chunk grid " + name->as_string() + " is not supported");
  }
  std::vector<DimensionShape> result;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    TRY_ASSIGN(const auto count, as_chunk_count(counts[d]));
    result.push_back({.array_length = shape[d], .num_chunks = count});
  }
  return result;
}

core::Result<std::optional<std::vector<std::optional<std::string>>>> parse_names(
    const Json& document, std::size_t rank) {
  const Json* names = document.find("dimension_names");
  if (names == nullptr || names->is_null()) return {std::nullopt};
  if (!names->is_array() || names->as_array().size() != rank) {
    return invalid("dimension_names is not a list with one entry per dimension");
  }
  std::vector<std::optional<std::string>> result;
  for (const Json& name : names->as_array()) {
    if (!name.is_null() && !name.is_string()) return invalid("a dimension name is not text");
    const bool unnamed = name.is_null() || name.as_string().empty();
    result.push_back(unnamed ? std::nullopt : std::optional(name.as_string()));
  }
  return {std::move(result)};
}

}  // namespace

core::Result<NodeDocument> parse_node_document(std::span<const std::byte> zarr_json) {
  auto parsed = Json::parse(core::as_text(zarr_json));
  if (!parsed) return invalid(parsed.error().message());
  const Json* type = parsed->find("node_type");
  if (type == nullptr || !type->is_string()) return invalid("node_type is missing");
  if (type->as_string() == "group") return NodeDocument{};
  if (type->as_string() != "array") return invalid("node_type is neither group nor array");
  ArrayData array;
  TRY_ASSIGN(array.shape, parse_shape(*parsed));
  TRY_ASSIGN(array.dimension_names, parse_names(*parsed, array.shape.size()));
  return NodeDocument{.array = std::move(array)};
}

}  // namespace icefield::icechunk
