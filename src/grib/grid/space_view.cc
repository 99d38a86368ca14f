#include <cmath>
#include <limits>

#include "grib/internal/place_points.h"
#include "grib/internal/sphere.h"
#include "grib/internal/stored_order.h"

namespace icefield::grib {

/// Template 3.90: lines of sight from a satellite above the equator, equal steps of angle.
core::Status place_space_view(const GridDefinition& grid, const SpaceViewGrid& view,
                              PlaceSpans out) {
  if (view.sub_satellite_latitude != 0 || view.orientation != 0) {
    return core::Error(core::ErrorCode::kUnsupported, "view from a satellite off the equator");
  }
  if (!(view.altitude > 1) || !(view.diameter_x > 0) || !(view.diameter_y > 0)) {
    return core::Error(core::ErrorCode::kCorrupt, "satellite inside the earth");
  }
  const double flattening = grid.earth.semi_minor / grid.earth.semi_major;
  const double disc = 2 * std::asin(1 / view.altitude);
  const double step_x = disc / view.diameter_x;
  const double step_y = flattening * disc / view.diameter_y;
  const double squash = 1 / (flattening * flattening);
  const double behind = view.altitude * view.altitude - 1;
  // grid coordinates count in the directions in which the rows and columns are stored
  const auto mode = grid.scan_mode.value_or(ScanMode{});
  const double toward_x = mode.i_negative() ? -step_x : step_x;
  const double toward_y = mode.j_positive() ? step_y : -step_y;
  for_each_stored(grid, [&](std::size_t index, std::size_t i, std::size_t j) {
    const double x = (static_cast<double>(i) + view.origin_x - view.centre_x) * toward_x;
    const double y = (static_cast<double>(j) + view.origin_y - view.centre_y) * toward_y;
    // distance along the line of sight to the ellipsoid, in equatorial radii
    const double down = std::cos(x) * std::cos(y);
    const double spread = std::cos(y) * std::cos(y) + squash * std::sin(y) * std::sin(y);
    const double root = view.altitude * view.altitude * down * down - spread * behind;
    if (root < 0) {
      out.latitudes[index] = out.longitudes[index] = std::numeric_limits<double>::quiet_NaN();
      return;
    }
    const double distance = (view.altitude * down - std::sqrt(root)) / spread;
    const double toward = view.altitude - distance * down;
    const double east = distance * std::sin(x) * std::cos(y);
    const double north = distance * std::sin(y);
    out.latitudes[index] = std::atan(squash * north / std::hypot(toward, east)) / kToRadians;
    out.longitudes[index] =
        signed_longitude(std::atan2(east, toward) / kToRadians + view.sub_satellite_longitude);
  });
  return {};
}

}  // namespace icefield::grib
