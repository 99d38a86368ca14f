#pragma once

#include <optional>

#include "core/bytes.h"
#include "core/result.h"
#include "dataset/projection.h"
#include "dataset/region.h"
#include "dataset/spec.h"

namespace icefield::dataset {

/// Gives the values of a dataset's coordinates; unprojects its grid at most once, when asked.
/// One thread at a time. The spec must have static storage or outlive it.
class CoordinateValues {
 public:
  explicit CoordinateValues(const DatasetSpec& spec) : spec_(spec) {}

  /// The values of one coordinate as they are stored (C order, little-endian), for these positions
  /// of the append dimension; coordinates without that dimension ignore `positions`.
  /// Times are seconds since 1970, durations float64 seconds; a reserved coordinate is all NaN.
  /// Errors: kInvalidArgument (projection).
  core::Result<core::Bytes> of(const Coordinate& coordinate, const Region& positions);

 private:
  core::Status unproject_grid(const Coordinate& coordinate);

  const DatasetSpec& spec_;
  std::optional<GeographicGrid> grid_;
};

/// True when the coordinate has the append dimension.
bool grows(const DatasetSpec& spec, const Coordinate& coordinate);

/// True when every dimension of the coordinate is one of the group's.
bool belongs_to(const Coordinate& coordinate, const Group& group);

}  // namespace icefield::dataset
