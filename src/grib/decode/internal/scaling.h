#pragma once

#include "grib/decode/representation.h"

namespace icefield::grib {

/// The factors of (R + X * 2^E) * 10^-D, made as ecCodes makes them: powers by repeated products,
/// so that float64 results are the same to the bit.
struct Scaling {
  double reference = 0;  // R
  double binary = 1;     // 2^E
  double decimal = 1;    // 10^-D

  double value(double x) const { return (x * binary + reference) * decimal; }
};

/// base^exponent by repeated multiplication or division; ends early at 0 and infinity.
double power_by_products(int exponent, double base);

Scaling scaling_of(const SimplePacking& packing);

}  // namespace icefield::grib
