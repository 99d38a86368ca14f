#include "zarr/metadata/metadata_codec.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/text.h"

namespace icefield::zarr {
namespace {

constexpr std::array<std::string_view, 11> kArrayMembers = {
    "shape",       "data_type", "chunk_grid",          "chunk_key_encoding",
    "fill_value",  "codecs",    "attributes",          "dimension_names",
    "zarr_format", "node_type", "storage_transformers"};
constexpr std::array<std::string_view, 4> kGroupMembers = {"attributes", "zarr_format",
                                                           "consolidated_metadata", "node_type"};

core::Error corrupt(std::string message) {
  return {core::ErrorCode::kCorrupt, std::move(message)};
}

core::Result<const core::Json*> member(const core::Json& document, std::string_view name) {
  const core::Json* const found = document.find(name);
  if (found == nullptr) return corrupt("no member '" + std::string(name) + "'");
  return found;
}

core::Result<core::Json> read_attributes(const core::Json& document) {
  const core::Json* const attributes = document.find("attributes");
  if (attributes == nullptr) return core::Json::object({});
  if (!attributes->is_object()) return corrupt("attributes is not an object");
  return *attributes;
}

/// Members beyond the known ones: kept when they may be ignored, else refused (core spec 3.1).
template <std::size_t n>
core::Result<core::Json> read_others(const core::Json& document,
                                     const std::array<std::string_view, n>& known) {
  auto others = core::Json::object({});
  for (const auto& [name, value] : document.as_object()) {
    if (std::ranges::find(known, name) != known.end()) continue;
    const core::Json* const must = value.find("must_understand");
    if (must == nullptr || !must->is_bool() || must->as_bool()) {
      return core::Error(core::ErrorCode::kUnsupported, "member '" + name + "' is not understood");
    }
    others.set(name, value);
  }
  return others;
}

core::Result<Shape> read_shape(const core::Json& json, const std::string& what) {
  if (!json.is_array()) return corrupt(what + " is not an array");
  Shape shape;
  for (const core::Json& extent : json.as_array()) {
    if (!extent.is_integer() || !extent.is_unsigned()) {
      return corrupt(what + " holds something that is not a whole number >= 0");
    }
    shape.push_back(extent.as_uint64());
  }
  constexpr std::size_t kMostDimensions = 64;
  if (shape.size() > kMostDimensions) return corrupt(what + " has more than 64 dimensions");
  return shape;
}

core::Result<Shape> read_chunk_grid(const core::Json& json, std::size_t rank) {
  TRY_ASSIGN(const auto grid, read_extension(json, "chunk_grid"));
  if (grid.name != "regular") {
    return core::Error(core::ErrorCode::kUnsupported, "chunk_grid '" + grid.name + "'");
  }
  TRY_ASSIGN(const auto* const chunk_shape, member(grid.configuration, "chunk_shape"));
  TRY_ASSIGN(auto shape, read_shape(*chunk_shape, "chunk_shape"));
  if (shape.size() != rank) return corrupt("chunk_shape and shape differ in rank");
  if (std::ranges::find(shape, std::uint64_t{0}) != shape.end()) {
    return corrupt("chunk_shape holds 0");
  }
  return shape;
}

core::Result<std::vector<Extension>> read_codecs(const core::Json& json) {
  if (!json.is_array() || json.as_array().empty()) return corrupt("codecs is not a list of codecs");
  std::vector<Extension> codecs;
  for (const core::Json& one : json.as_array()) {
    TRY_ASSIGN(auto codec, read_extension(one, "codec"));
    codecs.push_back(std::move(codec));
  }
  return codecs;
}

using DimensionNames = std::optional<std::vector<std::optional<std::string>>>;

core::Result<DimensionNames> read_dimension_names(const core::Json* json, std::size_t rank) {
  if (json == nullptr || json->is_null()) return DimensionNames();
  if (!json->is_array() || json->as_array().size() != rank) {
    return corrupt("dimension_names is not a list of one name per dimension");
  }
  std::vector<std::optional<std::string>> names;
  for (const core::Json& name : json->as_array()) {
    if (!name.is_string() && !name.is_null()) return corrupt("dimension_names holds no string");
    names.push_back(name.is_null() ? std::nullopt : std::optional(name.as_string()));
  }
  return DimensionNames(std::move(names));
}

core::Status check_storage_transformers(const core::Json& document) {
  const core::Json* const transformers = document.find("storage_transformers");
  if (transformers == nullptr || (transformers->is_array() && transformers->as_array().empty())) {
    return {};
  }
  return core::Error(core::ErrorCode::kUnsupported, "storage_transformers");
}

core::Result<ArrayMetadata> read_array(const core::Json& document) {
  ArrayMetadata array;
  TRY_ASSIGN(const auto* const shape, member(document, "shape"));
  TRY_ASSIGN(array.shape, read_shape(*shape, "shape"));
  TRY_ASSIGN(const auto* const data_type, member(document, "data_type"));
  TRY_ASSIGN(const auto type, read_extension(*data_type, "data_type"));
  TRY_ASSIGN(array.data_type, data_type_named(type.name));
  TRY_ASSIGN(const auto* const grid, member(document, "chunk_grid"));
  TRY_ASSIGN(array.chunk_shape, read_chunk_grid(*grid, array.shape.size()));
  TRY_ASSIGN(const auto* const encoding, member(document, "chunk_key_encoding"));
  TRY_ASSIGN(array.chunk_key_encoding, read_chunk_key_encoding(*encoding));
  TRY_ASSIGN(const auto* const fill, member(document, "fill_value"));
  TRY_ASSIGN(array.fill_value, read_fill_value(*fill, array.data_type));
  TRY_ASSIGN(const auto* const codecs, member(document, "codecs"));
  TRY_ASSIGN(array.codecs, read_codecs(*codecs));
  TRY_ASSIGN(array.attributes, read_attributes(document));
  TRY_ASSIGN(array.dimension_names,
             read_dimension_names(document.find("dimension_names"), array.shape.size()));
  TRY(check_storage_transformers(document));
  TRY_ASSIGN(array.others, read_others(document, kArrayMembers));
  return array;
}

core::Result<GroupMetadata> read_group(const core::Json& document) {
  GroupMetadata group;
  TRY_ASSIGN(group.attributes, read_attributes(document));
  const core::Json* const consolidated = document.find("consolidated_metadata");
  if (consolidated != nullptr && !consolidated->is_null()) group.consolidated = *consolidated;
  TRY_ASSIGN(group.others, read_others(document, kGroupMembers));
  return group;
}

core::Json shape_json(const Shape& shape) {
  core::Json::Array extents;
  for (const std::uint64_t extent : shape) extents.emplace_back(extent);
  return extents;
}

core::Json names_json(const std::vector<std::optional<std::string>>& names) {
  core::Json::Array list;
  for (const auto& name : names) list.push_back(name ? core::Json(*name) : core::Json());
  return list;
}

void append_members(core::Json& document, const core::Json& others) {
  for (const auto& [name, value] : others.as_object()) document.set(name, value);
}

std::string text_of(const core::Json& document) {
  return document.dump({.indent = 2, .ascii = true});
}

}  // namespace

core::Result<NodeMetadata> read_metadata(std::string_view text) {
  TRY_ASSIGN(const auto document, core::Json::parse(text));
  if (!document.is_object()) return corrupt("the document is not a JSON object");
  TRY_ASSIGN(const auto* const format, member(document, "zarr_format"));
  if (!format->is_integer() || format->as_int64() != 3) {
    return core::Error(core::ErrorCode::kUnsupported, "zarr_format " + format->dump());
  }
  TRY_ASSIGN(const auto* const kind, member(document, "node_type"));
  if (*kind == core::Json("array")) {
    TRY_ASSIGN(auto array, read_array(document));
    return NodeMetadata(std::move(array));
  }
  if (*kind != core::Json("group")) return corrupt("node_type is neither array nor group");
  TRY_ASSIGN(auto group, read_group(document));
  return NodeMetadata(std::move(group));
}

core::Result<ArrayMetadata> read_array_metadata(std::string_view text) {
  TRY_ASSIGN(auto node, read_metadata(text));
  auto* const array = std::get_if<ArrayMetadata>(&node);
  if (array == nullptr) return corrupt("a group where an array is expected");
  return std::move(*array);
}

core::Result<GroupMetadata> read_group_metadata(std::string_view text) {
  TRY_ASSIGN(auto node, read_metadata(text));
  auto* const group = std::get_if<GroupMetadata>(&node);
  if (group == nullptr) return corrupt("an array where a group is expected");
  return std::move(*group);
}

std::string write_metadata(const ArrayMetadata& array) {
  auto document = core::Json::object({
      {"shape", shape_json(array.shape)},
      {"data_type", std::string(name_of(array.data_type))},
      {"chunk_grid",
       write_extension(
           {"regular", core::Json::object({{"chunk_shape", shape_json(array.chunk_shape)}})})},
      {"chunk_key_encoding", write_chunk_key_encoding(array.chunk_key_encoding)},
      {"fill_value", write_fill_value(array.fill_value, array.data_type)},
  });
  core::Json::Array codecs;
  for (const Extension& codec : array.codecs) codecs.push_back(write_extension(codec));
  document.set("codecs", std::move(codecs));
  document.set("attributes", array.attributes);
  if (array.dimension_names) document.set("dimension_names", names_json(*array.dimension_names));
  document.set("zarr_format", 3);
  document.set("node_type", "array");
  document.set("storage_transformers", core::Json::Array());
  append_members(document, array.others);
  return text_of(document);
}

std::string write_metadata(const GroupMetadata& group) {
  auto document = core::Json::object({{"attributes", group.attributes}, {"zarr_format", 3}});
  if (group.consolidated) document.set("consolidated_metadata", *group.consolidated);
  document.set("node_type", "group");
  append_members(document, group.others);
  return text_of(document);
}

std::string write_metadata(const NodeMetadata& node) {
  return std::visit([](const auto& one) { return write_metadata(one); }, node);
}

}  // namespace icefield::zarr
