#include "grib/decode/internal/scaling.h"

#include <cmath>

namespace icefield::grib {

double power_by_products(int exponent, double base) {
  double power = 1;
  for (; exponent < 0 && power != 0; ++exponent) power /= base;
  for (; exponent > 0 && std::isfinite(power); --exponent) power *= base;
  return power;
}

Scaling scaling_of(const SimplePacking& packing) {
  return {.reference = double{packing.reference_value},
          .binary = power_by_products(packing.binary_scale, 2),
          .decimal = power_by_products(-packing.decimal_scale, 10)};
}

}  // namespace icefield::grib
