#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/range_reader.h"
#include "core/result.h"
#include "grib/scan/scan.h"

namespace icefield::grib {

/// Fields of more points than this are refused before memory is asked for.
inline constexpr std::uint64_t kLargestField = std::uint64_t{1} << 29U;

/// Points of the field's grid: what decode_field fills. A header alone cannot ask for memory: a
/// count that the field's bitmap or packed values contradict is refused.
/// Errors: kUnsupported when the message does not say how many, or more than kLargestField;
///         kCorrupt when section 6 is too short for the grid.
core::Result<std::size_t> point_count(const Scan& scan, const Field& field);

/// Decodes one field of a file that lies in memory (mapped): nothing is copied.
/// `out`: point_count() slots, in the message's own scanning order, in the unit of the GRIB
/// parameter; missing points become a quiet NaN. Precondition: `scan` is of `file`.
/// Errors: those of decode() and decode_grib1(), with section and template named; kUnsupported for
///         a bitmap by catalogue number; kCorrupt for "an earlier bitmap" where there is none.
/// Any thread.
core::Status decode_field(std::span<const std::byte> file, const Scan& scan, const Field& field,
                          std::span<float> out);
core::Status decode_field(std::span<const std::byte> file, const Scan& scan, const Field& field,
                          std::span<double> out);

/// The same from a source: reads sections 5 and 7 and the bitmap, and nothing else of the message.
core::Status decode_field(const core::RangeReader& source, const Scan& scan, const Field& field,
                          std::span<float> out);
core::Status decode_field(const core::RangeReader& source, const Scan& scan, const Field& field,
                          std::span<double> out);

}  // namespace icefield::grib
