#pragma once

#include <string>

#include "core/bytes.h"
#include "core/result.h"
#include "dataset/projection.h"
#include "dataset/region.h"
#include "dataset/spec.h"

namespace icefield::dataset {

/// The values of one coordinate as they are stored (C order, little-endian), for these positions of
/// the append dimension; coordinates without that dimension ignore `positions`.
/// Times are seconds since 1970, durations float64 seconds; a reserved coordinate is all NaN.
/// Errors: kInvalidArgument (projection).
core::Result<core::Bytes> coordinate_values(const DatasetSpec& spec, const Coordinate& coordinate,
                                            const Region& positions);

/// Latitudes and longitudes over the two grid dimensions of `coordinate`.
/// Errors: kInvalidArgument when it is over others, or from the projection.
core::Result<GeographicGrid> geographic_grid(const DatasetSpec& spec, const Coordinate& coordinate);

/// The half of the grid that `coordinate` (derived as kLatitude or kLongitude) holds.
core::Bytes geographic_values(const GeographicGrid& grid, const Coordinate& coordinate);

/// True when the coordinate has the append dimension.
bool grows(const DatasetSpec& spec, const Coordinate& coordinate);

/// True when every dimension of the coordinate is one of the group's.
bool belongs_to(const Coordinate& coordinate, const Group& group);

}  // namespace icefield::dataset
