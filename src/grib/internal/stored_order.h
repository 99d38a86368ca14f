#pragma once

#include <cstddef>

#include "grib/scan/grid_definition.h"

namespace icefield::grib {

/// Calls visit(index, i, j) for the points of a rectangular grid in stored order; i and j count
/// steps from the first grid point along the two axes, whatever their directions.
template <typename Visit>
void for_each_stored(const GridDefinition& grid, const Visit& visit) {
  const auto mode = grid.scan_mode.value_or(ScanMode{});
  const bool columns = mode.j_consecutive();
  const std::size_t lines = columns ? grid.ni : grid.nj;
  const std::size_t length = columns ? grid.nj : grid.ni;
  std::size_t index = 0;
  for (std::size_t line = 0; line < lines; ++line) {
    const bool turned = mode.alternating() && line % 2 == 1;
    for (std::size_t step = 0; step < length; ++step) {
      const auto along = turned ? length - 1 - step : step;
      visit(index++, columns ? line : along, columns ? along : line);
    }
  }
}

}  // namespace icefield::grib
