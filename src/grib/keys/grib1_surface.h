#pragma once

#include "grib/scan/product.h"

namespace icefield::grib {

/// A surface of edition 1 (code table 3) as edition 2 gives it (code table 4.5, SI units), so that
/// both editions have the same level texts. Types without a counterpart keep their number.
FixedSurface edition_2_surface(const FixedSurface& surface);

}  // namespace icefield::grib
