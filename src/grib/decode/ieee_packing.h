#pragma once

#include <cstddef>
#include <span>

#include "core/result.h"
#include "grib/decode/representation.h"

namespace icefield::grib {

/// Template 5.4: big-endian IEEE 754 numbers of 4 or 8 octets; 8 octets round once to float.
/// Errors: kCorrupt when `data` holds fewer than out.size() numbers. Never allocates.
core::Status decode_packed(const IeeePacking& packing, std::span<const std::byte> data,
                           std::span<float> out);
core::Status decode_packed(const IeeePacking& packing, std::span<const std::byte> data,
                           std::span<double> out);

}  // namespace icefield::grib
