#pragma once

#include "grib/scan/grid_definition.h"

namespace icefield::grib {

/// Makes `row_lengths` the points inside the grid's longitudes, for a reduced Gaussian grid whose
/// list gives the points of whole circles; keeps that list in `row_circles` when it differs.
/// Returns the number of points. Precondition: grid.grid is a LatLonGrid.
std::uint64_t clip_rows(GridDefinition& grid);

}  // namespace icefield::grib
