#pragma once

#include <string>

#include "grib/scan/product.h"

namespace icefield::grib {

/// The level text of NOAA inventories for one or two surfaces: "500 mb", "surface",
/// "0-0.1 m below ground", "cloud base - cloud top". `centre`: types from 192 on are the centre's
/// own; NCEP's (7) have texts, others are spelled by number.
std::string noaa_level_text(const FixedSurface& first, const FixedSurface& second,
                            std::uint16_t centre);

}  // namespace icefield::grib
