#pragma once

#include <cstddef>
#include <span>

#include "core/result.h"
#include "grib/decode/representation.h"

namespace icefield::grib {

/// Template 5.200: a level number, then digits of the run's length to base 2^bits - 1 - max_level.
/// Level 0 becomes a quiet NaN.
/// Errors: kCorrupt when the runs do not fill `out` exactly, or a level has no value.
/// Never allocates.
core::Status decode_packed(const RunLengthPacking& packing, std::span<const std::byte> data,
                           std::span<float> out);
core::Status decode_packed(const RunLengthPacking& packing, std::span<const std::byte> data,
                           std::span<double> out);

}  // namespace icefield::grib
