#pragma once

#include <span>

#include "core/result.h"
#include "grib/scan/grid_definition.h"

namespace icefield::grib {

/// Latitude and longitude of every point of a grid in stored order. Degrees; longitudes in
/// [-180, 180); NaN for points of a satellite view that miss the earth.
/// `latitudes` and `longitudes`: grid.n_points slots each.
/// Latitudes are geodetic on the grid's own earth: no datum shift happens.
/// Errors: kUnsupported for grids whose message does not place its points (unstructured, spectral,
///         stretched, staggered, unknown templates); kCorrupt for a definition that contradicts
///         itself; kInvalidArgument for spans of another size. Any thread.
core::Status grid_points(const GridDefinition& grid, std::span<double> latitudes,
                         std::span<double> longitudes);

}  // namespace icefield::grib
