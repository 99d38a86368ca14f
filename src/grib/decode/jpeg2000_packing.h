#pragma once

#include <cstddef>
#include <span>

#include "core/result.h"
#include "grib/decode/representation.h"

namespace icefield::grib {

/// Templates 5.40 and 40000: X are the samples of a JPEG 2000 code stream of one component, row by
/// row. With 0 bits per value every value is R, as for simple packing.
/// Errors: kCorrupt when the image cannot be read or does not have out.size() samples.
/// Allocates the image (4 octets per sample) and the codec's own tables, after the image's header
/// was found to agree with out.size().
core::Status decode_packed(const Jpeg2000Packing& packing, std::span<const std::byte> data,
                           std::span<float> out);
core::Status decode_packed(const Jpeg2000Packing& packing, std::span<const std::byte> data,
                           std::span<double> out);

}  // namespace icefield::grib
