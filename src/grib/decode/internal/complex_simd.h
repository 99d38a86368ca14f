#pragma once

#include <cstdint>
#include <span>

#include "core/result.h"
#include "grib/decode/internal/groups.h"
#include "grib/decode/representation.h"

namespace icefield::grib::avx2 {

enum class Outcome : std::uint8_t {
  kDone,
  kTooWide,  // some number may pass 32 bits: `out` is unspecified, decode plainly
};

/// Templates 5.2 and 5.3 with 32-bit lanes. Results are those of the plain form to the bit.
/// Precondition: has_avx2(). Errors: kCorrupt as GroupReader.
core::Result<Outcome> decode_complex(const ComplexPacking& packing, const GroupSections& sections,
                                     std::span<float> out);
core::Result<Outcome> decode_complex(const ComplexPacking& packing, const GroupSections& sections,
                                     std::span<double> out);

}  // namespace icefield::grib::avx2
