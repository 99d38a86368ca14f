#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace icefield::dataset {

/// Geographic coordinates of grid cells, degrees, one per cell: rows (y) outer, columns (x) inner.
struct GeographicGrid {
  std::vector<float> latitude;
  std::vector<float> longitude;  // -180 to 180
};

/// Takes every pair of `ys` and `xs` (projection units) back to the sphere or spheroid, in double
/// precision, then rounds once to float32.
/// Errors: kInvalidArgument when PROJ does not know `definition` or a cell has no coordinates.
core::Result<GeographicGrid> unproject(std::string_view definition, std::span<const double> ys,
                                       std::span<const double> xs);

}  // namespace icefield::dataset
