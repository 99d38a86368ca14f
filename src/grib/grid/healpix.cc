#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "core/text.h"
#include "grib/internal/place_points.h"
#include "grib/internal/sphere.h"

namespace icefield::grib {
namespace {

/// A pixel by its ring (from 1 at the north) and its place in the ring (from 1).
struct RingPixel {
  std::uint64_t ring = 0;
  double place = 0;  // may be a half
};

/// Centre of a pixel; longitude from the first base pixel's western corner. K. M. Gorski et al.
/// 2005, equations 4-9.
Place centre_of(const RingPixel& pixel, std::uint64_t n_side) {
  const auto n = static_cast<double>(n_side);
  const auto ring = static_cast<double>(pixel.ring);
  double z = 0;
  double longitude = 0;
  const bool north = pixel.ring < n_side;
  const bool south = pixel.ring > 3 * n_side;
  if (north || south) {
    const double from_pole = north ? ring : 4 * n - ring;
    z = 1 - from_pole * from_pole / (3 * n * n);
    if (south) z = -z;
    longitude = 90 / from_pole * (pixel.place - 0.5);
  } else {
    const bool shifted = (pixel.ring - n_side) % 2 == 0;
    z = 4.0 / 3 - 2 * ring / (3 * n);
    longitude = 90 / n * (pixel.place - (shifted ? 0.5 : 1));
  }
  return {std::asin(z) / kToRadians, longitude};
}

/// The bits at even places of `value`, pushed together.
std::uint64_t even_bits(std::uint64_t value) {
  std::uint64_t out = 0;
  for (unsigned bit = 0; bit < 32; ++bit) out |= ((value >> (2 * bit)) & 1U) << bit;
  return out;
}

/// Pixel of the nested order: base pixel, then two bits per level.
RingPixel from_nested(std::uint64_t index, std::uint64_t n_side) {
  const auto per_base = n_side * n_side;
  const auto base = index / per_base;
  const auto inside = index % per_base;
  const auto x = static_cast<std::int64_t>(even_bits(inside));
  const auto y = static_cast<std::int64_t>(even_bits(inside >> 1U));
  const auto n = static_cast<std::int64_t>(n_side);
  const auto row = static_cast<std::int64_t>(base / 4);  // 0 north, 1 equator, 2 south
  const auto column = static_cast<std::int64_t>(base % 4);
  const auto ring = (row + 2) * n - x - y - 1;
  // centre of the base pixel in units of 45 degrees
  const auto middle = 2 * column + (row == 1 ? 0 : 1);
  std::int64_t length = n;
  if (ring < n) length = ring;
  if (ring > 3 * n) length = 4 * n - ring;
  const bool cap = ring < n || ring > 3 * n;
  const bool shifted = cap || (ring - n) % 2 == 0;
  auto place = (middle * length + x - y + 1 + (shifted ? 0 : 1)) / 2;
  const auto whole = 4 * length;
  if (place > whole) place -= whole;
  if (place < 1) place += whole;
  return {static_cast<std::uint64_t>(ring), static_cast<double>(place)};
}

}  // namespace

core::Status place_healpix(const GridDefinition& grid, const HealpixGrid& pixels, PlaceSpans out) {
  const std::uint64_t n = pixels.n_side;
  if (n == 0 || 12 * n * n != grid.n_points) {
    return core::Error(core::ErrorCode::kCorrupt,
                       core::text("HEALPix grid of ", n, " with ", grid.n_points, " points"));
  }
  if (pixels.nested && !std::has_single_bit(n)) {
    return core::Error(core::ErrorCode::kCorrupt,
                       core::text("nested HEALPix grid of ", n, ", which is no power of two"));
  }
  constexpr double kUsualFirst = 45;
  const double shift = pixels.first_longitude - kUsualFirst;
  const auto put = [&](std::size_t index, const RingPixel& pixel) {
    const auto place = centre_of(pixel, n);
    out.latitudes[index] = place.latitude;
    out.longitudes[index] = signed_longitude(place.longitude + shift);
  };
  if (pixels.nested) {
    for (std::size_t i = 0; i < out.latitudes.size(); ++i) put(i, from_nested(i, n));
    return {};
  }
  std::size_t index = 0;
  for (std::uint64_t ring = 1; ring < 4 * n; ++ring) {
    const auto length = 4 * std::min({ring, n, 4 * n - ring});
    for (std::uint64_t place = 1; place <= length; ++place) {
      put(index++, {ring, static_cast<double>(place)});
    }
  }
  return {};
}

}  // namespace icefield::grib
