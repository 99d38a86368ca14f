#pragma once

#include <cstddef>
#include <span>

#include "core/result.h"
#include "grib/decode/representation.h"

namespace icefield::grib {

/// Templates 5.2 and 5.3: groups of numbers, each X = group reference + number of the group's own
/// width; a width of 0 makes the whole group its reference. 5.3 then sums differences of the first
/// or second order over the points that are not missing (order 0: nothing to sum).
/// Missing points (numbers of all 1 bits, references of all 1 bits in groups of width 0, and one
/// less for secondary missing values) become a quiet NaN.
/// Errors: kCorrupt when section 7 is too short, or the groups' lengths do not add up to
/// out.size(); kUnsupported for group widths above 32 bits. Never allocates.
core::Status decode_packed(const ComplexPacking& packing, std::span<const std::byte> data,
                           std::span<float> out);
core::Status decode_packed(const ComplexPacking& packing, std::span<const std::byte> data,
                           std::span<double> out);

}  // namespace icefield::grib
