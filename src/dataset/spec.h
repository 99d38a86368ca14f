#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/time.h"
#include "dataset/axis.h"
#include "dataset/coordinate.h"
#include "dataset/variable.h"
#include "dataset/virtual_config.h"

namespace icefield::dataset {

struct VirtualSource;

/// The attributes of every group, written in this order. Empty text: not written.
struct DatasetAttributes {
  std::string_view name = {};
  std::string_view description = {};
  std::string_view attribution = {};
  std::string_view license = {};
  std::string_view spatial_domain = {};
  std::string_view spatial_resolution = {};
  std::string_view time_domain = {};
  std::string_view time_resolution = {};
  std::string_view forecast_domain = {};
  std::string_view forecast_resolution = {};
};

/// A group of arrays that share dimensions. The first one is the root, named "".
struct Group {
  std::string_view name = {};                   // equal to the dimension that it adds
  std::span<const std::string_view> dims = {};  // in the order of the arrays
  std::span<const std::uint64_t> chunks = {};   // elements per chunk, one per dim
  std::span<const std::uint64_t> shards = {};   // multiples of chunks; empty: not sharded
};

enum class DatasetKind : std::uint8_t { kVirtual, kMaterialized };

/// Which variables the source has at lead 0.
enum class HourZeroRule : std::uint8_t { kInstantOnly, kAllButMinMax };

/// From this init on (until the next row), the model runs this far.
struct ForecastLength {
  core::Timestamp from;
  std::chrono::hours length;
};

/// A projected grid's coordinate reference system, as PROJ reads it; empty: geographic.
struct Projection {
  std::string_view definition = {};
};

/// One file of the checked-in template, compiled into the program.
struct TemplateText {
  std::string_view name = {};  // "pressure_level/temperature/zarr.json", "coordinates.sha256"
  std::string_view content = {};
};

/// All that is known of one dataset. Plain data with static storage: spans and pointers never
/// dangle, and any thread may read it.
struct DatasetSpec {
  std::string_view id = {};  // [a-zA-Z0-9-]
  std::string_view version = {};
  DatasetKind kind = DatasetKind::kMaterialized;
  DatasetAttributes attributes = {};

  core::Timestamp append_start{};
  core::Seconds append_every{0};
  std::uint64_t append_coordinate_chunk = 0;   // 0: by the rule, see append_coordinate_chunk()
  std::span<const Dimension> dimensions = {};  // all groups' dimensions, the append one first
  std::span<const Group> groups = {};
  std::span<const Coordinate> coordinates = {};
  std::span<const Variable> variables = {};
  std::span<const ForecastLength> forecast_lengths = {};  // ascending; empty for analyses
  HourZeroRule hour_zero = HourZeroRule::kInstantOnly;
  Projection projection = {};

  std::string_view primary_base = {};             // "s3://bucket"
  const VirtualConfig* virtual_config = nullptr;  // set exactly for virtual datasets
  const VirtualSource* virtual_source = nullptr;  // set exactly for virtual datasets
  /// The files of the checked-in template, sorted by name; nullptr while a dataset is being added.
  std::span<const TemplateText> (*checked_in_template)() = nullptr;

  constexpr const Dimension& append_dimension() const { return dimensions.front(); }
};

/// The dimension of that name, or nullptr.
constexpr const Dimension* find_dimension(const DatasetSpec& spec, std::string_view name) {
  for (const auto& dimension : spec.dimensions) {
    if (dimension.name == name) return &dimension;
  }
  return nullptr;
}

/// "temperature_2m" at the root, "pressure_level/temperature" in a group.
std::string path_of(const DatasetSpec& spec, const Variable& variable);

/// The group's own dimension as a position in its dims; nothing for the root.
std::optional<std::size_t> level_position(const Group& group);

/// True when the source has this variable at lead 0.
bool has_hour_0_values(const DatasetSpec& spec, const Variable& variable);

/// The variables that these names select, in the table's order, each once; all of them for no name.
/// A bare name selects it in every group; a path selects one.
/// Errors: kInvalidArgument naming every name that selects nothing.
core::Result<std::vector<VariableIndex>> select_variables(const DatasetSpec& spec,
                                                          std::span<const std::string> names);

/// Labels of a dimension as integers: seconds since 1970 for the append dimension (positions
/// 0 … append_size - 1), seconds for leads, the labels themselves otherwise; empty for a grid.
std::vector<std::int64_t> labels_of(const DatasetSpec& spec, const Dimension& dimension,
                                    std::uint64_t append_size);

/// Labels per chunk of coordinates along the append dimension, chosen once so that they stay in
/// one chunk for years: int(365 days * max(2025 - start.year + 15, 10) / every), unless fixed.
std::uint64_t append_coordinate_chunk(const DatasetSpec& spec);

}  // namespace icefield::dataset
