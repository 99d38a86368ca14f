#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

namespace icefield::dataset {

/// Smallest and largest value, about: numbers, or words such as "Present + 48 hours".
struct Range {
  std::variant<double, std::int64_t, std::string_view> min;
  std::variant<double, std::int64_t, std::string_view> max;
};

/// One attribute as it is written.
struct Attribute {
  std::string_view name = {};
  std::variant<std::string_view, double, std::int64_t, Range, std::span<const double>> value;
};

/// How a coordinate is stored (docs/formats/zarr.md, kinds of arrays).
enum class CoordinateType : std::uint8_t {
  kTimestamp,  // int64 seconds since 1970-01-01, UTC
  kDuration,   // float64 seconds, missing as NaN
  kFloat64,
  kFloat32,
  kInt64,
  kInt16,
  kCrs,  // int64 scalar 0 that carries attributes
};

/// Where a coordinate's values come from.
enum class Derivation : std::uint8_t {
  kDimension,               // the labels of the dimension of the same name
  kValidTime,               // init time + lead time
  kExpectedForecastLength,  // DatasetSpec::forecast_lengths
  kReserved,                // all missing in the template: written by jobs
  kLatitude,                // inverse projection of the y and x centres
  kLongitude,
  kConstantZero,
};

struct Coordinate {
  std::string_view name = {};
  std::span<const std::string_view> dims = {};  // an array in every group that has all of them
  CoordinateType type = CoordinateType::kFloat64;
  Derivation derivation = Derivation::kDimension;
  std::span<const Attribute> attributes = {};  // in order, without those that the storage form adds
};

}  // namespace icefield::dataset
