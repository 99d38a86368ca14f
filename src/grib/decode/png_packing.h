#pragma once

#include <cstddef>
#include <span>

#include "core/result.h"
#include "grib/decode/representation.h"

namespace icefield::grib {

/// Templates 5.41 and 40010: X are the samples of a PNG image, row by row: greyscale of 1 to 16
/// bits, RGB (24 bits) or RGBA (32 bits), not interlaced. With 0 bits every value is R.
/// Errors: kCorrupt when the image cannot be read or does not have out.size() samples of
/// bits_per_value bits; kUnsupported for interlaced and palette images.
/// Allocates one unpacked image, after its size was found to agree with out.size() and to be
/// possible for the compressed octets.
core::Status decode_packed(const PngPacking& packing, std::span<const std::byte> data,
                           std::span<float> out);
core::Status decode_packed(const PngPacking& packing, std::span<const std::byte> data,
                           std::span<double> out);

}  // namespace icefield::grib
