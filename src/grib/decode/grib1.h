#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/result.h"

namespace icefield::grib {

/// What decoding an edition 1 field needs from its other sections.
struct Grib1Field {
  std::span<const std::byte> section4 =
      {};                 // the whole binary data section, from its length octets on
  int decimal_scale = 0;  // D, octets 27-28 of section 1
  /// Octets 7.. of section 3, 1 bit per point, 1 = present; absent when there is no bitmap.
  std::optional<std::span<const std::byte>> bitmap = std::nullopt;
  /// Points of each row in stored order (Ni repeated Nj times, or the list of a reduced grid; of
  /// each column when adjacent points run along j). Used by the second-order packings that go row
  /// by row or turn every other row; may be empty for the others.
  std::span<const std::uint32_t> row_lengths = {};
};

/// How a binary data section of edition 1 is packed.
enum class Grib1Packing : std::uint8_t {
  kSimple,
  kIeee,
  kSecondOrderRowByRow,
  kSecondOrderConstantWidth,
  kSecondOrderGeneral,   // groups by a secondary bitmap
  kSecondOrderExtended,  // groups by lengths, with spatial differencing of order 0..3
};

/// Tells the packing from the section's flag octets.
/// Errors: kUnsupported (spherical harmonics, matrix of values), kCorrupt (too short).
core::Result<Grib1Packing> grib1_packing(std::span<const std::byte> section4);

/// Values that a simple-packed section holds, from its length and its unused bits: the number of
/// points of a grid that does not tell it, or of points that a bitmap keeps. Nothing for constant
/// fields, other packings and broken sections.
std::optional<std::uint64_t> grib1_value_count(std::span<const std::byte> section4);

/// Decodes one edition 1 field: value = (R + X * 2^E) * 10^-D, as decode() of decode.h does.
/// Errors: as there; kInvalidArgument when the packing needs row_lengths and they do not add up to
/// out.size().
core::Status decode_grib1(const Grib1Field& field, std::span<float> out);
core::Status decode_grib1(const Grib1Field& field, std::span<double> out);

}  // namespace icefield::grib
