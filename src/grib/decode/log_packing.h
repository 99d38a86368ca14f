#pragma once

#include <cstddef>
#include <span>

#include "core/result.h"
#include "grib/decode/representation.h"

namespace icefield::grib {

/// Template 5.61: exp(v) - parameter of the simple-packed v.
/// Errors as for simple packing. Never allocates.
core::Status decode_packed(const LogPacking& packing, std::span<const std::byte> data,
                           std::span<float> out);
core::Status decode_packed(const LogPacking& packing, std::span<const std::byte> data,
                           std::span<double> out);

}  // namespace icefield::grib
