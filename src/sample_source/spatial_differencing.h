#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "core/bytes.h"
#include "core/result.h"

namespace icefield::sample_source {

/// Marks a point without a value among packed values.
inline constexpr std::int32_t kMissingPoint = std::numeric_limits<std::int32_t>::min();

/// Packed values are below this, so that second differences stay within 30 bits.
inline constexpr std::int32_t kPackedLimit = 1 << 26;

/// Value of a point = (reference_value + X * 2^binary_scale) / 10^decimal_scale.
struct Scale {
  float reference_value = 0;
  std::int16_t binary_scale = 0;
  std::int16_t decimal_scale = 0;
};

/// How a field is written with GRIB2 data representation template 5.3.
struct SpatialDifferencing {
  /// Octet 23 of section 5: whether points without a value stand inside the data.
  enum class MissingValues : std::uint8_t { kNone = 0, kPrimary = 1 };

  Scale scale = {};
  std::uint8_t order = 2;  // 1 or 2
  MissingValues missing = MissingValues::kNone;
};

/// A whole section 5 and a whole section 7.
struct DataSections {
  core::Bytes section5;
  core::Bytes section7;
};

/// Packs `values` (X of the formula, in scanning order) with complex packing and spatial
/// differencing, as GRIB2 templates 5.3 and 7.3 say. Decoding gives back exactly these X.
///
/// Errors: kInvalidArgument when the order is neither 1 nor 2, a value is outside
/// [0, kPackedLimit), kMissingPoint stands where missing values are off, or no more than `order`
/// points have a value.
core::Result<DataSections> encode_spatial_differencing(std::span<const std::int32_t> values,
                                                       const SpatialDifferencing& how);

}  // namespace icefield::sample_source
