#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/result.h"
#include "core/time.h"
#include "grib/scan/grid_definition.h"
#include "grib/scan/product.h"

namespace icefield::grib {

/// Section 1 of edition 1 as values.
struct Grib1Definition {
  std::uint8_t table_version = 0;
  std::uint8_t centre = 255;
  std::uint8_t subcentre = 0;
  bool has_grid = false;    // section 2 follows
  bool has_bitmap = false;  // section 3 follows
  int decimal_scale = 0;
  std::optional<core::Timestamp> reference_time;
  Product product;  // category: table version; number: parameter; surfaces in code table 3
};

/// Reads section 1 of edition 1, from its length octets on. Time ranges of code table 5 become
/// forecast time and time range as edition 2 has them; ranges over several reference times keep
/// their forecast time only. Errors: kCorrupt for a section shorter than 28 octets.
core::Result<Grib1Definition> parse_grib1_definition(std::span<const std::byte> section1);

/// Reads section 2 of edition 1, from its length octets on. Representations whose points have no
/// place give an UnplacedGrid. Errors: kCorrupt for a section shorter than its template.
core::Result<GridDefinition> parse_grib1_grid(std::span<const std::byte> section2);

}  // namespace icefield::grib
