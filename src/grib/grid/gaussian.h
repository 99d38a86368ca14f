#pragma once

#include <cstdint>
#include <vector>

namespace icefield::grib {

/// The 2 * n latitudes of a Gaussian grid with n parallels between pole and equator, from north to
/// south, in degrees: the roots of the Legendre polynomial of degree 2 n.
std::vector<double> gaussian_latitudes(std::uint32_t n);

}  // namespace icefield::grib
