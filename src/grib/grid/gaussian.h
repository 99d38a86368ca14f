#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace icefield::grib {

/// The 2 * n latitudes of a Gaussian grid with n parallels between pole and equator, from north to
/// south, in degrees: the roots of the Legendre polynomial of degree 2 n. Takes time with the
/// square of n; each thread keeps the last ones, since the messages of a file share their grid.
/// Precondition: n <= kMostParallels.
std::shared_ptr<const std::vector<double>> gaussian_latitudes(std::uint32_t n);

/// More than the finest grids in use have (1.25 km); a file that tells of more is not believed.
inline constexpr std::uint32_t kMostParallels = 8000;

}  // namespace icefield::grib
