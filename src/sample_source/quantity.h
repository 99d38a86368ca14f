#pragma once

#include <cstdint>
#include <string_view>

#include "core/result.h"

namespace icefield::sample_source {

/// What the numbers of a quantity look like over the map.
enum class Shape : std::uint8_t {
  kSmooth,   // waves over the whole range
  kClipped,  // like rain: the lowest value over most of the map, waves above it elsewhere
  kBinary,   // the lowest and the highest value only
  kFlagged,  // like kClipped, but where nothing is, the reference value stands alone as a flag
  kHoles,    // waves, and points without a value where there is, say, no cloud
};

/// How the numbers are written.
enum class Packing : std::uint8_t {
  kSimple,        // 5.0
  kComplex,       // 5.2
  kOrder1,        // 5.3, order 1
  kOrder2,        // 5.3, order 2
  kManaged2,      // 5.3, order 2, missing points inside the data
  kManaged1,      // 5.3, order 1, the same
  kBitmap,        // 5.3, order 2, missing points by a bitmap
  kSimpleBitmap,  // 5.0 with a bitmap
};

/// One element of the provider's inventories: its place in the GRIB2 tables and values to invent.
/// value = (reference + (base + shift + X) * 2^binary_scale) / 10^decimal_scale, X in [0, span];
/// the shift comes from the level.
struct Quantity {
  std::string_view element;     // as the inventory spells it
  std::string_view level_ends;  // the row is for levels that end so; "" for all others
  std::uint8_t discipline;
  std::uint8_t category;
  std::uint8_t number;
  std::int16_t decimal_scale;
  std::int16_t binary_scale;
  double reference;             // exact in 24 bits, times 10^decimal_scale
  std::int32_t base;            // lifts all but the flag of kFlagged
  std::int32_t span;            // at most 8192
  std::int32_t step_per_level;  // the shift of each level above the first of a vertical variable
  Shape shape;
  Packing packing;
};

/// The row for an element on a level. Errors: kNotFound, naming the element.
core::Result<Quantity> find_quantity(std::string_view element, std::string_view level);

}  // namespace icefield::sample_source
