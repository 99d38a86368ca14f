#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "core/result.h"
#include "grib/decode/representation.h"

namespace icefield::grib {

/// The packed bytes of one field. Lends: the memory must outlive the call it is passed to.
struct PackedField {
  /// Octets 6.. of section 7 (edition 1: see DataSection::decode in grib1.h). May be empty for
  /// constant fields.
  std::span<const std::byte> data = {};
  /// Octets 7.. of the section 6 that applies to the field (for indicator 254: those of the earlier
  /// field), one bit per grid point, first point in the highest bit, 1 = a value is present.
  /// Absent when the indicator is 255: every point has a value.
  std::optional<std::span<const std::byte>> bitmap = std::nullopt;
};

/// Decodes one field into the caller's memory: value = (R + X * 2^E) * 10^-D in the unit of the
/// GRIB parameter (5.4: the stored numbers; 5.61: the exponential of it; 5.200: the level value).
///
/// `out`: one slot per grid point of section 3, in the message's own scanning order; points that
/// the bitmap or the missing value management leaves out become a quiet NaN. float results are the
/// float64 results rounded once. Float64 results are those of ecCodes to the bit, except 5.61.
///
/// Errors: kUnsupported for a variant that is valid but not implemented (named in the text);
///         kCorrupt when the bytes do not hold what section 5 promises. `out` is then unspecified.
/// Works in the caller's memory and small fixed tables; only the image codecs (5.40, 5.41)
/// allocate, never more than a fixed multiple of `out` or of the input. Any thread.
core::Status decode(const Representation& representation, const PackedField& field,
                    std::span<float> out);
core::Status decode(const Representation& representation, const PackedField& field,
                    std::span<double> out);

}  // namespace icefield::grib
