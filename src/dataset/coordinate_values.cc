#include "dataset/coordinate_values.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include "core/text.h"
#include "dataset/projection.h"
#include "dataset/time_axis.h"

namespace icefield::dataset {
namespace {

static_assert(std::endian::native == std::endian::little, "values are stored little-endian");

template <typename T>
core::Bytes bytes_of(const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

std::vector<double> centres(const LinearAxis& axis) {
  std::vector<double> values(axis.size);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = axis.first + axis.step * static_cast<double>(i);
  }
  return values;
}

template <typename T>
core::Bytes stored_as(const std::vector<std::int64_t>& labels) {
  std::vector<T> values(labels.size());
  std::ranges::transform(labels, values.begin(), [](auto label) { return static_cast<T>(label); });
  return bytes_of(values);
}

/// Whole numbers in the form that the coordinate is stored in.
core::Bytes stored(const std::vector<std::int64_t>& labels, CoordinateType type) {
  switch (type) {
    case CoordinateType::kDuration:
    case CoordinateType::kFloat64:
      return stored_as<double>(labels);
    case CoordinateType::kFloat32:
      return stored_as<float>(labels);
    case CoordinateType::kInt16:
      return stored_as<std::int16_t>(labels);
    case CoordinateType::kTimestamp:
    case CoordinateType::kInt64:
    case CoordinateType::kCrs:
      break;
  }
  return bytes_of(labels);
}

std::vector<std::int64_t> append_labels(const DatasetSpec& spec, const Region& positions) {
  std::vector<std::int64_t> labels;
  for (std::uint64_t i = positions.begin; i < positions.end; ++i) {
    labels.push_back(label_at(spec, i).time_since_epoch().count());
  }
  return labels;
}

core::Result<core::Bytes> dimension_values(const DatasetSpec& spec, const Coordinate& coordinate,
                                           const Region& positions) {
  const Dimension* const dimension = find_dimension(spec, coordinate.name);
  if (dimension == nullptr) {
    return core::Error(core::ErrorCode::kInvalidArgument,
                       core::text("no dimension '", coordinate.name, "'"));
  }
  if (std::holds_alternative<AppendAxis>(dimension->axis)) {
    return stored(append_labels(spec, positions), coordinate.type);
  }
  if (const auto* const linear = std::get_if<LinearAxis>(&dimension->axis)) {
    return bytes_of(centres(*linear));
  }
  return stored(labels_of(spec, *dimension, 0), coordinate.type);
}

core::Bytes valid_times(const DatasetSpec& spec, const Region& positions) {
  const auto lead = std::ranges::find_if(spec.dimensions, [](const Dimension& dimension) {
    return std::holds_alternative<LeadAxis>(dimension.axis);
  });
  std::vector<std::int64_t> times;
  if (lead == spec.dimensions.end()) return {};
  const auto leads = labels_of(spec, *lead, 0);
  for (const auto init : append_labels(spec, positions)) {
    for (const auto after : leads) times.push_back(init + after);
  }
  return bytes_of(times);
}

core::Bytes forecast_lengths(const DatasetSpec& spec, const Region& positions) {
  std::vector<double> lengths;
  for (std::uint64_t i = positions.begin; i < positions.end; ++i) {
    const auto length = expected_forecast_length(spec, label_at(spec, i));
    lengths.push_back(static_cast<double>(length.count()));
  }
  return bytes_of(lengths);
}

core::Bytes reserved(const DatasetSpec& spec, const Coordinate& coordinate,
                     const Region& positions) {
  std::uint64_t count = 1;
  for (const auto name : coordinate.dims) {
    const Dimension* const dimension = find_dimension(spec, name);
    if (dimension == nullptr) continue;
    count *= std::holds_alternative<AppendAxis>(dimension->axis) ? positions.size()
                                                                 : length_of(*dimension);
  }
  return bytes_of(std::vector<double>(count, std::numeric_limits<double>::quiet_NaN()));
}

}  // namespace

core::Status CoordinateValues::unproject_grid(const Coordinate& coordinate) {
  if (grid_) return {};
  std::vector<std::vector<double>> axes;
  for (const auto name : coordinate.dims) {
    const Dimension* const dimension = find_dimension(spec_, name);
    const auto* const axis =
        dimension == nullptr ? nullptr : std::get_if<LinearAxis>(&dimension->axis);
    if (axis != nullptr) axes.push_back(centres(*axis));
  }
  if (axes.size() != 2) {
    return core::Error(core::ErrorCode::kInvalidArgument,
                       core::text(coordinate.name, " is not over two grid dimensions"));
  }
  TRY_ASSIGN(grid_, unproject(spec_.projection.definition, axes[0], axes[1]));
  return {};
}

core::Result<core::Bytes> CoordinateValues::of(const Coordinate& coordinate,
                                               const Region& positions) {
  switch (coordinate.derivation) {
    case Derivation::kDimension:
      return dimension_values(spec_, coordinate, positions);
    case Derivation::kValidTime:
      return valid_times(spec_, positions);
    case Derivation::kExpectedForecastLength:
      return forecast_lengths(spec_, positions);
    case Derivation::kReserved:
      return reserved(spec_, coordinate, positions);
    case Derivation::kLatitude: {
      TRY(unproject_grid(coordinate));
      return bytes_of(grid_->latitude);
    }
    case Derivation::kLongitude: {
      TRY(unproject_grid(coordinate));
      return bytes_of(grid_->longitude);
    }
    case Derivation::kConstantZero:
      return core::Bytes(sizeof(std::int64_t));
  }
  return core::Error(core::ErrorCode::kInvalidArgument, "no such derivation");
}

bool grows(const DatasetSpec& spec, const Coordinate& coordinate) {
  const auto name = spec.append_dimension().name;
  return std::ranges::find(coordinate.dims, name) != coordinate.dims.end();
}

bool belongs_to(const Coordinate& coordinate, const Group& group) {
  return std::ranges::all_of(coordinate.dims, [&](std::string_view name) {
    return std::ranges::find(group.dims, name) != group.dims.end();
  });
}

}  // namespace icefield::dataset
