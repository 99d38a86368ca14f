#include "dataset/internal/template_arrays.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <string>
#include <vector>

#include "dataset/coordinate_values.h"

namespace icefield::dataset {
namespace {

using core::Json;
using zarr::DataType;
using zarr::Extension;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// How each type of coordinate is stored: reformatting rules, kinds of arrays.
struct StorageRow {
  CoordinateType type;
  DataType data_type;
  std::int64_t typesize;  // of blosc's shuffle; 4 for int16 by convention of existing stores
  bool missing_is_nan;    // else `fill`
  std::int64_t fill;
};

constexpr std::array kStorage = {
    StorageRow{CoordinateType::kTimestamp, DataType::kInt64, 8, false, 0},
    StorageRow{CoordinateType::kDuration, DataType::kFloat64, 8, true, 0},
    StorageRow{CoordinateType::kFloat64, DataType::kFloat64, 8, true, 0},
    StorageRow{CoordinateType::kFloat32, DataType::kFloat32, 4, true, 0},
    StorageRow{CoordinateType::kInt64, DataType::kInt64, 8, false, -1},
    StorageRow{CoordinateType::kInt16, DataType::kInt16, 4, false, -1},
    StorageRow{CoordinateType::kCrs, DataType::kInt64, 8, false, 0},
};

Extension little_endian() {
  return {"bytes", Json::object({{"endian", "little"}})};
}

Extension blosc(std::int64_t typesize) {
  return {"blosc", Json::object({{"typesize", typesize},
                                 {"cname", "zstd"},
                                 {"clevel", 3},
                                 {"shuffle", "shuffle"},
                                 {"blocksize", 0}})};
}

Extension plain_zstd() {
  return {"zstd", Json::object({{"level", 0}, {"checksum", false}})};
}

/// The base64 of the little-endian float64: how `_FillValue` of a float array is written.
std::string base64_of(double value) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto bytes = std::bit_cast<std::array<std::uint8_t, 8>>(value);
  std::string out;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t held = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i) bits = (bits << 8U) | (i < held ? bytes[at + i] : 0U);
    for (std::size_t i = 0; i < 4; ++i) {
      out += i <= held ? kAlphabet[(bits >> (18 - 6 * i)) & 0x3FU] : '=';
    }
  }
  return out;
}

void set_text(Json& attributes, std::string_view name, std::string_view text) {
  if (!text.empty()) attributes.set(name, text);
}

Json bound_json(const std::variant<double, std::int64_t, std::string_view>& bound) {
  return std::visit([](const auto& value) { return Json(value); }, bound);
}

Json attribute_json(const Attribute& attribute) {
  if (const auto* const range = std::get_if<Range>(&attribute.value)) {
    return Json::object({{"min", bound_json(range->min)}, {"max", bound_json(range->max)}});
  }
  if (const auto* const list = std::get_if<std::span<const double>>(&attribute.value)) {
    return Json::Array(list->begin(), list->end());
  }
  if (const auto* const number = std::get_if<double>(&attribute.value)) return *number;
  if (const auto* const whole = std::get_if<std::int64_t>(&attribute.value)) return *whole;
  return std::get<std::string_view>(attribute.value);
}

Json coordinate_attributes(const Coordinate& coordinate, const StorageRow& row) {
  Json attributes = Json::object({});
  for (const Attribute& one : coordinate.attributes) {
    attributes.set(one.name, attribute_json(one));
  }
  if (coordinate.type == CoordinateType::kDuration) {
    attributes.set("dtype", "timedelta64[us]");
    attributes.set("units", "seconds");
  }
  if (coordinate.type == CoordinateType::kTimestamp) {
    attributes.set("units", "seconds since 1970-01-01");
    attributes.set("calendar", "proleptic_gregorian");
  }
  if (row.missing_is_nan) attributes.set("_FillValue", base64_of(kNan));
  return attributes;
}

std::uint64_t extent_of(const DatasetSpec& spec, std::string_view name, std::uint64_t append_size) {
  const Dimension* const dimension = find_dimension(spec, name);
  if (dimension == nullptr) return 0;
  return std::holds_alternative<AppendAxis>(dimension->axis) ? append_size : length_of(*dimension);
}

/// Names, blank-separated and sorted, of the coordinates of a group that are no dimensions.
std::string other_coordinates(const DatasetSpec& spec, const Group& group) {
  std::vector<std::string_view> names;
  for (const Coordinate& coordinate : spec.coordinates) {
    if (coordinate.derivation != Derivation::kDimension && belongs_to(coordinate, group)) {
      names.push_back(coordinate.name);
    }
  }
  std::ranges::sort(names);
  std::string joined;
  for (const auto name : names) {
    if (!joined.empty()) joined += ' ';
    joined += name;
  }
  return joined;
}

Json variable_attributes(const DatasetSpec& spec, const Variable& variable) {
  const Quantity& quantity = *variable.quantity;
  Json attributes = Json::object({});
  set_text(attributes, "long_name", quantity.long_name);
  set_text(attributes, "short_name", quantity.short_name);
  set_text(attributes, "standard_name", quantity.standard_name);
  set_text(attributes, "units", quantity.units);
  set_text(attributes, "comment", variable.options.comment);
  attributes.set("step_type", name_of(variable.step));
  const Flags& flags = variable.options.flags;
  if (!flags.meanings.empty()) {
    attributes.set("flag_values", Json::Array(flags.values.begin(), flags.values.end()));
    attributes.set("flag_meanings", flags.meanings);
  }
  attributes.set("coordinates", other_coordinates(spec, spec.groups[variable.group]));
  attributes.set("_FillValue", base64_of(variable.options.fill));
  return attributes;
}

/// One message per chunk, decoded by the reader.
std::vector<Extension> virtual_codecs(const Variable& variable) {
  std::vector<Extension> codecs;
  const ScaleOffset& filter = variable.options.filter;
  if (filter != ScaleOffset{}) {  // members equal to the identity are left out
    Json configuration = Json::object({});
    if (filter.offset != 0) configuration.set("offset", filter.offset);
    if (filter.scale != 1) configuration.set("scale", filter.scale);
    codecs.push_back({"scale_offset", std::move(configuration)});
  }
  codecs.push_back({"gribberish", Json::object({{"var", variable.source.element},
                                                {"adjust_longitude_range", true},
                                                {"north_up", true}})});
  return codecs;
}

/// Inner chunks in shards; without shards, plain compressed chunks.
std::vector<Extension> materialized_codecs(const Group& group) {
  constexpr std::int64_t kFloatSize = 4;
  if (group.shards.empty()) return {little_endian(), blosc(kFloatSize)};
  const auto list = [](const std::vector<Extension>& codecs) {
    Json::Array items;
    for (const Extension& codec : codecs) items.push_back(zarr::write_extension(codec));
    return items;
  };
  return {{"sharding_indexed",
           Json::object({{"chunk_shape", Json::Array(group.chunks.begin(), group.chunks.end())},
                         {"codecs", list({little_endian(), blosc(kFloatSize)})},
                         {"index_codecs", list({little_endian(), {"crc32c", {}}})},
                         {"index_location", "end"}})}};
}

}  // namespace

zarr::ArrayMetadata coordinate_array(const DatasetSpec& spec, const Coordinate& coordinate,
                                     std::uint64_t append_size) {
  const StorageRow& row = *std::ranges::find(kStorage, coordinate.type, &StorageRow::type);
  zarr::ArrayMetadata array;
  array.data_type = row.data_type;
  array.fill_value = row.data_type == DataType::kFloat32 ? zarr::fill_of(static_cast<float>(kNan))
                     : row.missing_is_nan                ? zarr::fill_of(kNan)
                     : row.data_type == DataType::kInt16
                         ? zarr::FillValue{static_cast<std::uint16_t>(row.fill)}
                         : zarr::fill_of(row.fill);
  std::vector<std::optional<std::string>> names;
  for (const auto name : coordinate.dims) {
    const std::uint64_t extent = extent_of(spec, name, append_size);
    const bool appended = name == spec.append_dimension().name;
    array.shape.push_back(extent);
    array.chunk_shape.push_back(appended ? append_coordinate_chunk(spec) : extent);
    names.emplace_back(std::string(name));
  }
  array.codecs = {little_endian(),
                  coordinate.type == CoordinateType::kCrs ? plain_zstd() : blosc(row.typesize)};
  array.attributes = coordinate_attributes(coordinate, row);
  if (!names.empty()) array.dimension_names = std::move(names);
  return array;
}

zarr::ArrayMetadata variable_array(const DatasetSpec& spec, const Variable& variable,
                                   std::uint64_t append_size) {
  const Group& group = spec.groups[variable.group];
  const bool is_virtual = spec.kind == DatasetKind::kVirtual;
  zarr::ArrayMetadata array;
  array.data_type = is_virtual ? DataType::kFloat64 : DataType::kFloat32;
  array.fill_value = is_virtual ? zarr::fill_of(variable.options.fill)
                                : zarr::fill_of(static_cast<float>(variable.options.fill));
  const auto outer = group.shards.empty() ? group.chunks : group.shards;
  array.chunk_shape.assign(outer.begin(), outer.end());
  std::vector<std::optional<std::string>> names;
  for (const auto name : group.dims) {
    array.shape.push_back(extent_of(spec, name, append_size));
    names.emplace_back(std::string(name));
  }
  array.codecs = is_virtual ? virtual_codecs(variable) : materialized_codecs(group);
  array.attributes = variable_attributes(spec, variable);
  array.dimension_names = std::move(names);
  return array;
}

core::Json group_attributes(const DatasetSpec& spec) {
  const DatasetAttributes& from = spec.attributes;
  Json attributes = Json::object({{"dataset_id", spec.id}, {"dataset_version", spec.version}});
  set_text(attributes, "name", from.name);
  set_text(attributes, "description", from.description);
  set_text(attributes, "attribution", from.attribution);
  set_text(attributes, "license", from.license);
  set_text(attributes, "spatial_domain", from.spatial_domain);
  set_text(attributes, "spatial_resolution", from.spatial_resolution);
  set_text(attributes, "time_domain", from.time_domain);
  set_text(attributes, "time_resolution", from.time_resolution);
  set_text(attributes, "forecast_domain", from.forecast_domain);
  set_text(attributes, "forecast_resolution", from.forecast_resolution);
  return attributes;
}

}  // namespace icefield::dataset
