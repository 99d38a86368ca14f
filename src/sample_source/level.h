#pragma once

#include <cstdint>
#include <string_view>

#include "core/result.h"

namespace icefield::sample_source {

/// One fixed surface of a product: code table 4.5 (with NCEP's local entries) and its value,
/// value = scaled_value / 10^scale_factor in the unit of the table (Pa, m, K, 1).
struct FixedSurface {
  std::uint8_t type = 255;  // 255: no surface
  std::uint8_t scale_factor = 0;
  std::uint32_t scaled_value = 0;
  friend bool operator==(const FixedSurface&, const FixedSurface&) = default;
};

/// The two fixed surfaces of a level or layer; a level has only the first.
struct Level {
  FixedSurface first;
  FixedSurface second;
  friend bool operator==(const Level&, const Level&) = default;
};

/// The surfaces that a wgrib2 inventory calls `text`: "surface", "2 m above ground",
/// "180-0 mb above ground", "0.5-0.8 sigma layer", "261 K level - 256 K level", "1013.2 mb" ...
/// Errors: kUnsupported for a text that the provider does not write.
core::Result<Level> parse_level(std::string_view text);

}  // namespace icefield::sample_source
