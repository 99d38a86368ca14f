#include "grib/internal/row_clip.h"

#include <cmath>
#include <utility>

namespace icefield::grib {

std::uint64_t clip_rows(GridDefinition& grid) {
  // the message rounds longitudes: a point this part of a step outside still counts
  constexpr double kTolerance = 0.01;
  const auto& area = std::get<LatLonGrid>(grid.grid);
  double east = area.last_longitude;
  while (east < area.first_longitude) east += 360;
  std::vector<std::uint32_t> inside;
  inside.reserve(grid.row_lengths.size());
  std::uint64_t sum = 0;
  for (const auto circle : grid.row_lengths) {
    std::uint32_t count = 0;
    if (circle > 0) {
      const double step = 360.0 / circle;
      const double first = std::ceil(area.first_longitude / step - kTolerance);
      const double last = std::floor(east / step + kTolerance);
      if (last >= first) count = static_cast<std::uint32_t>(std::fmin(last - first + 1, circle));
    }
    inside.push_back(count);
    sum += count;
  }
  if (inside != grid.row_lengths) {
    grid.row_circles = std::exchange(grid.row_lengths, std::move(inside));
  }
  return sum;
}

}  // namespace icefield::grib
