#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "core/text.h"
#include "grib/grid/gaussian.h"
#include "grib/internal/place_points.h"
#include "grib/internal/sphere.h"
#include "grib/internal/stored_order.h"

namespace icefield::grib {
namespace {

core::Error corrupt(std::string reason) {
  return {core::ErrorCode::kCorrupt, std::move(reason)};
}

/// Step between neighbours of an axis: from its ends, which are exact, while increments are
/// rounded. Where the last point contradicts the increment, the increment counts.
double step_of(double extent, std::uint32_t count, const std::optional<double>& increment) {
  if (count < 2) return increment.value_or(0);
  if (increment && std::abs(*increment * (count - 1) - extent) > *increment / 2) return *increment;
  return extent / (count - 1);
}

/// Latitudes of the rows in stored order.
core::Result<std::vector<double>> row_latitudes(const GridDefinition& grid,
                                                const LatLonGrid& area) {
  const bool northward = grid.scan_mode.value_or(ScanMode{}).j_positive();
  std::vector<double> rows(grid.nj);
  if (area.gaussian_parallels == 0) {
    const double step =
        step_of(std::abs(area.last_latitude - area.first_latitude), grid.nj, area.j_increment);
    for (std::size_t j = 0; j < rows.size(); ++j) {
      const double way = static_cast<double>(j) * step;
      rows[j] = area.first_latitude + (northward ? way : -way);
    }
    return rows;
  }
  if (area.gaussian_parallels > kMostParallels) return corrupt("Gaussian grid of too many rows");
  auto all = *gaussian_latitudes(area.gaussian_parallels);
  if (northward) std::ranges::reverse(all);
  const auto first = std::ranges::min_element(
      all, {}, [&](double latitude) { return std::abs(latitude - area.first_latitude); });
  const auto skip = static_cast<std::size_t>(first - all.begin());
  if (rows.size() > all.size() - skip) return corrupt("Gaussian grid of more rows than latitudes");
  std::copy_n(first, rows.size(), rows.begin());
  return rows;
}

/// Rows of different lengths. Rows of a Gaussian grid are parts of circles that have a point at
/// longitude 0. Rows of another grid are whole circles when the longest is one, and otherwise reach
/// from the first to the last longitude.
void place_reduced(const GridDefinition& grid, const LatLonGrid& area,
                   const std::vector<double>& rows, PlaceSpans out) {
  constexpr double kTolerance = 0.01;
  double extent = area.last_longitude - area.first_longitude;
  while (extent < 0) extent += 360;
  const double longest = std::ranges::max(grid.row_lengths);
  const bool around = extent > 360 - 1.5 * 360 / longest;
  const auto& circles = grid.row_circles.empty() ? grid.row_lengths : grid.row_circles;
  std::size_t index = 0;
  for (std::size_t j = 0; j < grid.row_lengths.size(); ++j) {
    const auto length = grid.row_lengths[j];
    double step = circles[j] > 0 ? 360.0 / circles[j] : 0;
    double start = area.first_longitude;
    if (area.gaussian_parallels == 0 && !around) {
      step = length > 1 ? extent / (length - 1) : 0;
    } else if (!grid.row_circles.empty() && step > 0) {
      start = std::ceil(area.first_longitude / step - kTolerance) * step;
    }
    for (std::uint32_t i = 0; i < length; ++i, ++index) {
      out.latitudes[index] = rows[j];
      out.longitudes[index] = signed_longitude(start + i * step);
    }
  }
}

void place_regular(const GridDefinition& grid, const LatLonGrid& area,
                   const std::vector<double>& rows, PlaceSpans out) {
  const bool westward = grid.scan_mode.value_or(ScanMode{}).i_negative();
  double extent = area.last_longitude - area.first_longitude;
  if (westward) extent = -extent;
  while (extent < 0) extent += 360;
  const double step = step_of(extent, grid.ni, area.i_increment);
  std::vector<double> columns(grid.ni);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const double way = static_cast<double>(i) * step;
    columns[i] = signed_longitude(area.first_longitude + (westward ? -way : way));
  }
  for_each_stored(grid, [&](std::size_t index, std::size_t i, std::size_t j) {
    out.latitudes[index] = rows[j];
    out.longitudes[index] = columns[i];
  });
}

void rotate_all(const Rotation& moved, PlaceSpans out) {
  const PoleRotation rotation(moved);
  for (std::size_t i = 0; i < out.latitudes.size(); ++i) {
    const auto place = rotation.to_geographic({out.latitudes[i], out.longitudes[i]});
    out.latitudes[i] = place.latitude;
    out.longitudes[i] = place.longitude;
  }
}

}  // namespace

core::Status place_lat_lon(const GridDefinition& grid, const LatLonGrid& area, PlaceSpans out) {
  if (area.stretching) {
    return core::Error(core::ErrorCode::kUnsupported, "stretched grids have no places yet");
  }
  if (area.rotation && area.rotation->angle != 0) {
    return core::Error(core::ErrorCode::kUnsupported, "grid turned about its own pole");
  }
  if (grid.nj == 0 ||
      (grid.row_lengths.empty() && std::uint64_t{grid.ni} * grid.nj != grid.n_points)) {
    return corrupt("grid without rows and columns");
  }
  TRY_ASSIGN(const auto rows, row_latitudes(grid, area));
  if (grid.row_lengths.empty()) {
    place_regular(grid, area, rows, out);
  } else {
    place_reduced(grid, area, rows, out);
  }
  if (area.rotation) rotate_all(*area.rotation, out);
  return {};
}

core::Status place_ncep_rotated(const GridDefinition& grid, const NcepRotatedGrid& area,
                                PlaceSpans out) {
  if (grid.ni < 2 || grid.nj < 2) return corrupt("grid of one row or column");
  // the unit of the increments differs between products; the corners are what all agree on
  const PoleRotation rotation(Rotation{area.centre_latitude - 90, area.centre_longitude, 0});
  const auto first = rotation.to_rotated({area.first_latitude, area.first_longitude});
  const auto last = rotation.to_rotated({area.last_latitude, area.last_longitude});
  const double di = (last.longitude - first.longitude) / (grid.ni - 1);
  const double dj = (last.latitude - first.latitude) / (grid.nj - 1);
  for_each_stored(grid, [&](std::size_t index, std::size_t i, std::size_t j) {
    const auto place = rotation.to_geographic({first.latitude + static_cast<double>(j) * dj,
                                               first.longitude + static_cast<double>(i) * di});
    out.latitudes[index] = place.latitude;
    out.longitudes[index] = place.longitude;
  });
  return {};
}

}  // namespace icefield::grib
