#pragma once

#include <cstddef>
#include <span>

#include "core/result.h"
#include "grib/decode/representation.h"

namespace icefield::grib {

/// Template 5.0: X are unsigned numbers of bits_per_value (0..32) bits, first point first.
/// With 0 bits every value is R itself, without the decimal scale: this is what encoders write.
/// Errors: kCorrupt when `data` holds fewer than out.size() numbers. Never allocates.
core::Status decode_packed(const SimplePacking& packing, std::span<const std::byte> data,
                           std::span<float> out);
core::Status decode_packed(const SimplePacking& packing, std::span<const std::byte> data,
                           std::span<double> out);

}  // namespace icefield::grib
