#pragma once

#include <span>

#include "core/result.h"
#include "grib/scan/grid_definition.h"

namespace icefield::grib {

/// Where the places of a grid go, in stored order.
struct PlaceSpans {
  std::span<double> latitudes;
  std::span<double> longitudes;
};

// One function per family of templates; each fills all of `out`. Errors: as grid_points.
core::Status place_lat_lon(const GridDefinition& grid, const LatLonGrid& area, PlaceSpans out);
core::Status place_healpix(const GridDefinition& grid, const HealpixGrid& pixels, PlaceSpans out);
core::Status place_space_view(const GridDefinition& grid, const SpaceViewGrid& view,
                              PlaceSpans out);
core::Status place_ncep_rotated(const GridDefinition& grid, const NcepRotatedGrid& area,
                                PlaceSpans out);
core::Status place_projected(const GridDefinition& grid, PlaceSpans out);

}  // namespace icefield::grib
