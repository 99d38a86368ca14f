#pragma once

#include <cstddef>
#include <span>

#include "core/result.h"
#include "grib/decode/representation.h"

namespace icefield::grib {

/// Template 5.42: X are the samples of a CCSDS 121.0-B adaptive entropy coded stream.
/// With 0 bits per value every value is R, as for simple packing.
/// Errors: kCorrupt when the stream ends early or breaks its rules; kUnsupported for block sizes
/// that the standard does not have. Never allocates.
core::Status decode_packed(const CcsdsPacking& packing, std::span<const std::byte> data,
                           std::span<float> out);
core::Status decode_packed(const CcsdsPacking& packing, std::span<const std::byte> data,
                           std::span<double> out);

}  // namespace icefield::grib
