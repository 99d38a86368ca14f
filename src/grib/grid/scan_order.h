#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/result.h"
#include "grib/scan/grid_definition.h"

namespace icefield::grib {

/// Puts a field's values from stored order into rows from north to south, each from west to east
/// (of a projected grid: from the top of its plane down, left to right). Undoes columns before
/// rows, alternating rows and either direction of flags table 3.4.
/// Reduced grids keep their rows as they are, north row first.
/// Errors: kUnsupported for a grid without rows; kInvalidArgument when a span does not have the
///         grid's number of points, or both are the same memory.
core::Status to_north_up(const GridDefinition& grid, std::span<const float> stored,
                         std::span<float> out);
core::Status to_north_up(const GridDefinition& grid, std::span<const double> stored,
                         std::span<double> out);

}  // namespace icefield::grib
