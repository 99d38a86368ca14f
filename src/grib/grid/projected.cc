#include <cmath>
#include <cstdio>
#include <memory>
#include <string>

#include <proj.h>

#include "core/json.h"
#include "core/text.h"
#include "grib/internal/place_points.h"
#include "grib/internal/sphere.h"
#include "grib/internal/stored_order.h"

namespace icefield::grib {
namespace {

/// A grid on a plane: the projection in PROJ's words, the first point and the steps. Metres.
struct Plane {
  std::string projection;
  double dx = 0;
  double dy = 0;
  Place first;  // used where first_x, first_y are not given
  std::optional<double> first_x = {};
  std::optional<double> first_y = {};
};

std::string word(std::string_view name, double value) {
  return core::text(" +", name, "=", core::python_float(value));
}

Plane plane_of(const MercatorGrid& grid) {
  return {"+proj=merc" + word("lat_ts", grid.true_latitude) + word("lon_0", grid.first_longitude),
          grid.dx,
          grid.dy,
          {grid.first_latitude, grid.first_longitude}};
}

Plane plane_of(const PolarStereographicGrid& grid) {
  return {"+proj=stere" + word("lat_0", grid.south_pole ? -90 : 90) +
              word("lat_ts", grid.true_latitude) + word("lon_0", grid.orientation),
          grid.dx,
          grid.dy,
          {grid.first_latitude, grid.first_longitude}};
}

Plane plane_of(const ConicGrid& grid) {
  return {core::text("+proj=", grid.equal_area ? "aea" : "lcc") +
              word("lat_1", grid.first_parallel) + word("lat_2", grid.second_parallel) +
              word("lat_0", grid.true_latitude) + word("lon_0", grid.orientation),
          grid.dx,
          grid.dy,
          {grid.first_latitude, grid.first_longitude}};
}

Plane plane_of(const LambertAzimuthalGrid& grid) {
  return {"+proj=laea" + word("lat_0", grid.centre_latitude) + word("lon_0", grid.centre_longitude),
          grid.dx,
          grid.dy,
          {grid.first_latitude, grid.first_longitude}};
}

Plane plane_of(const TransverseMercatorGrid& grid) {
  return {"+proj=tmerc" + word("lat_0", grid.reference_latitude) +
              word("lon_0", grid.reference_longitude) + word("k_0", grid.scale) +
              word("x_0", grid.false_easting) + word("y_0", grid.false_northing),
          grid.dx,
          grid.dy,
          {},
          grid.first_x,
          grid.first_y};
}

/// Other templates never come here: grid_points sends them elsewhere.
template <typename Other>
Plane plane_of(const Other&) {
  return {};
}

/// Some producers fill the orientation with another number: a grid whose last point is where it
/// would be without a turn is not turned.
bool ends_at(const MercatorGrid& grid, const Place& last) {
  constexpr double kClose = 0.05;  // degrees
  return std::abs(last.latitude - grid.last_latitude) < kClose &&
         std::abs(signed_longitude(last.longitude - grid.last_longitude)) < kClose;
}

struct ContextCloser {
  void operator()(PJ_CONTEXT* context) const { proj_context_destroy(context); }
};
struct ProjectionCloser {
  void operator()(PJ* projection) const { proj_destroy(projection); }
};

}  // namespace

core::Status place_projected(const GridDefinition& grid, PlaceSpans out) {
  const auto plane = std::visit([](const auto& area) { return plane_of(area); }, grid.grid);
  const auto words = plane.projection + word("a", grid.earth.semi_major) +
                     word("b", grid.earth.semi_minor) + " +units=m +no_defs";
  const std::unique_ptr<PJ_CONTEXT, ContextCloser> context(proj_context_create());
  proj_log_level(context.get(), PJ_LOG_NONE);
  const std::unique_ptr<PJ, ProjectionCloser> projection(proj_create(context.get(), words.c_str()));
  if (!projection) {
    return core::Error(core::ErrorCode::kCorrupt,
                       core::text("no such projection: ", plane.projection));
  }
  PJ_COORD first =
      proj_coord(plane.first.longitude * kToRadians, plane.first.latitude * kToRadians, 0, 0);
  if (plane.first_x) {
    first = proj_coord(*plane.first_x, *plane.first_y, 0, 0);
  } else {
    first = proj_trans(projection.get(), PJ_FWD, first);
  }
  if (!std::isfinite(first.xy.x) || !std::isfinite(first.xy.y)) {
    return core::Error(core::ErrorCode::kCorrupt, "first point lies outside the projection");
  }
  const auto mode = grid.scan_mode.value_or(ScanMode{});
  const double dx = mode.i_negative() ? -plane.dx : plane.dx;
  const double dy = mode.j_positive() ? plane.dy : -plane.dy;
  const auto place_at = [&](std::size_t i, std::size_t j) -> Place {
    const auto place = proj_trans(projection.get(), PJ_INV,
                                  proj_coord(first.xy.x + static_cast<double>(i) * dx,
                                             first.xy.y + static_cast<double>(j) * dy, 0, 0));
    if (!std::isfinite(place.lp.phi) || !std::isfinite(place.lp.lam)) return {NAN, NAN};
    return {place.lp.phi / kToRadians, signed_longitude(place.lp.lam / kToRadians)};
  };
  if (const auto* mercator = std::get_if<MercatorGrid>(&grid.grid);
      mercator != nullptr && mercator->orientation != 0 &&
      !ends_at(*mercator, place_at(grid.ni - 1, grid.nj - 1))) {
    return core::Error(core::ErrorCode::kUnsupported, "turned Mercator grid");
  }
  for_each_stored(grid, [&](std::size_t index, std::size_t i, std::size_t j) {
    const auto place = place_at(i, j);
    out.latitudes[index] = place.latitude;
    out.longitudes[index] = place.longitude;
  });
  return {};
}

}  // namespace icefield::grib
