#include "grib/grid/gaussian.h"

#include <cmath>
#include <numbers>

namespace icefield::grib {
namespace {

std::vector<double> compute(std::uint32_t n) {
  constexpr int kMostSteps = 50;
  constexpr double kClose = 1e-15;
  const auto degree = 2 * static_cast<int>(n);
  std::vector<double> latitudes(static_cast<std::size_t>(degree));
  for (int row = 0; row < degree / 2; ++row) {
    // Newton's method from a guess that is close enough to stay with its own root
    double x = std::cos(std::numbers::pi * (row + 0.75) / (degree + 0.5));
    for (int step = 0; step < kMostSteps; ++step) {
      double before = 1;
      double value = x;
      for (int k = 2; k <= degree; ++k) {
        const double next = ((2.0 * k - 1) * x * value - (k - 1.0) * before) / k;
        before = value;
        value = next;
      }
      const double slope = degree * (before - x * value) / (1 - x * x);
      const double change = value / slope;
      x -= change;
      if (std::abs(change) < kClose) break;
    }
    const double latitude = std::asin(x) * 180 / std::numbers::pi;
    latitudes[static_cast<std::size_t>(row)] = latitude;
    latitudes[static_cast<std::size_t>(degree - 1 - row)] = -latitude;
  }
  return latitudes;
}

}  // namespace

std::shared_ptr<const std::vector<double>> gaussian_latitudes(std::uint32_t n) {
  thread_local std::shared_ptr<const std::vector<double>> last;
  if (!last || last->size() != std::size_t{2} * n) {
    last = std::make_shared<const std::vector<double>>(compute(n));
  }
  return last;
}

}  // namespace icefield::grib
