#include "grib/decode/grib1.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "core/bytes.h"
#include "core/text.h"
#include "grib/decode/bitmap.h"
#include "grib/decode/ieee_packing.h"
#include "grib/decode/internal/bits.h"
#include "grib/decode/internal/grib1_section.h"
#include "grib/decode/internal/unpack.h"

namespace icefield::grib {
namespace {

using core::ErrorCode;

core::Error corrupt(const std::string& what) {
  return {ErrorCode::kCorrupt, "binary data section: " + what};
}

// Octet 4, table 11.
constexpr unsigned kSpherical = 0x80;
constexpr unsigned kSecondOrder = 0x40;
constexpr unsigned kIntegers = 0x20;
constexpr unsigned kMoreFlags = 0x10;

// Octet 14.
constexpr unsigned kMatrix = 0x40;
constexpr unsigned kSecondaryBitmap = 0x20;
constexpr unsigned kDifferentWidths = 0x10;
constexpr unsigned kExtended = 0x08;
constexpr unsigned kAlternating = 0x04;

constexpr std::size_t kHeaderOctets = 11;
constexpr std::size_t kSecondOrderOctets = 21;

unsigned octet(std::span<const std::byte> section, std::size_t number) {
  return std::to_integer<unsigned>(section[number - 1]);
}

core::Result<Grib1Packing> second_order_kind(std::span<const std::byte> section4) {
  if (section4.size() < kSecondOrderOctets) return corrupt("too short for second-order packing");
  const unsigned flags = octet(section4, 14);
  if ((flags & kMatrix) != 0) {
    return core::Error(ErrorCode::kUnsupported, "edition 1: a matrix of values at each point");
  }
  if ((flags & kExtended) != 0) return Grib1Packing::kSecondOrderExtended;
  const bool by_bitmap = (flags & kSecondaryBitmap) != 0;
  if ((flags & kDifferentWidths) == 0) return Grib1Packing::kSecondOrderConstantWidth;
  return by_bitmap ? Grib1Packing::kSecondOrderGeneral : Grib1Packing::kSecondOrderRowByRow;
}

template <typename T>
core::Status decode_simple(const Grib1Field& field, std::span<T> out) {
  const Grib1Header header = read_grib1_header(field);
  if (header.bits == 0) {
    std::ranges::fill(out, static_cast<T>(header.scaling.reference));
    return {};
  }
  const PackedIntegers packed{.bytes = field.section4.subspan(kHeaderOctets), .width = header.bits};
  if (header.bits > 32 || !packed.holds(out.size())) {
    return corrupt(core::text("no room for ", out.size(), " values of ", header.bits, " bits"));
  }
  unpack_scaled(packed, header.scaling, out);
  return {};
}

template <typename T>
core::Status decode_ieee(const Grib1Field& field, std::span<T> out) {
  constexpr std::size_t kPrecision = 12;  // octet: 1 for 32, 2 for 64 bits
  if (field.section4.size() < kPrecision) return corrupt("too short for IEEE numbers");
  const unsigned precision = octet(field.section4, kPrecision);
  if (precision != 1 && precision != 2) {
    return core::Error(ErrorCode::kUnsupported,
                       core::text("edition 1: IEEE precision ", precision));
  }
  return decode_packed(IeeePacking{.bytes_per_value = precision * 4},
                       field.section4.subspan(kPrecision), out);
}

/// Every second row is stored from its end: turns those rows of the whole grid round.
template <typename T>
core::Status turn_odd_rows(std::span<const std::uint32_t> row_lengths, std::span<T> out) {
  const auto total = std::accumulate(row_lengths.begin(), row_lengths.end(), std::uint64_t{0});
  if (total != out.size()) {
    return core::Error(
        ErrorCode::kInvalidArgument,
        core::text("edition 1: rows of ", total, " points for a grid of ", out.size()));
  }
  std::size_t begin = 0;
  for (std::size_t row = 0; row < row_lengths.size(); begin += row_lengths[row++]) {
    if (row % 2 == 1) std::ranges::reverse(out.subspan(begin, row_lengths[row]));
  }
  return {};
}

template <typename T>
core::Status decode_coded(const Grib1Field& field, Grib1Packing packing, std::span<T> out) {
  switch (packing) {
    case Grib1Packing::kSimple:
      return decode_simple(field, out);
    case Grib1Packing::kIeee:
      return decode_ieee(field, out);
    case Grib1Packing::kSecondOrderRowByRow:
    case Grib1Packing::kSecondOrderConstantWidth:
    case Grib1Packing::kSecondOrderGeneral:
    case Grib1Packing::kSecondOrderExtended:
      return decode_grib1_second_order(field, packing, out);
  }
  return corrupt("unknown packing");
}

template <typename T>
core::Status decode_any(const Grib1Field& field, std::span<T> out) {
  constexpr std::int64_t kNoData = -32767;  // a binary scale of all ones: no value anywhere
  TRY_ASSIGN(const auto packing, grib1_packing(field.section4));
  if (read_signed_octets(field.section4, 4, 2) == kNoData) {
    std::ranges::fill(out, std::numeric_limits<T>::quiet_NaN());
    return {};
  }
  const std::size_t n_coded = field.bitmap ? count_present(*field.bitmap, out.size()) : out.size();
  TRY(decode_coded(field, packing, out.first(n_coded)));
  if (field.bitmap) TRY(spread_over_bitmap(*field.bitmap, n_coded, out));
  const bool second_order = packing != Grib1Packing::kSimple && packing != Grib1Packing::kIeee;
  if (second_order && (octet(field.section4, 14) & kAlternating) != 0) {
    return turn_odd_rows(field.row_lengths, out);
  }
  return {};
}

}  // namespace

double ibm_float(std::uint32_t bits) {
  const double fraction = bits & 0xFFFFFFU;
  const int exponent = static_cast<int>(bits >> 24U & 0x7FU) - 64;
  const double magnitude = std::ldexp(fraction, 4 * exponent - 24);
  return bits >> 31U != 0 ? -magnitude : magnitude;
}

Grib1Header read_grib1_header(const Grib1Field& field) {
  const auto binary_scale = static_cast<int>(read_signed_octets(field.section4, 4, 2));
  return {
      .scaling = {.reference = ibm_float(core::load_big_endian<std::uint32_t>(field.section4, 6)),
                  .binary = power_by_products(binary_scale, 2),
                  .decimal = power_by_products(-field.decimal_scale, 10)},
      .bits = octet(field.section4, 11)};
}

core::Result<Grib1Packing> grib1_packing(std::span<const std::byte> section4) {
  if (section4.size() < kHeaderOctets) return corrupt(core::text(section4.size(), " octets"));
  const unsigned flags = octet(section4, 4);
  if ((flags & kSpherical) != 0) {
    return core::Error(ErrorCode::kUnsupported, "edition 1: spherical harmonic coefficients");
  }
  if ((flags & kSecondOrder) != 0) return second_order_kind(section4);
  if ((flags & kMoreFlags) == 0) return Grib1Packing::kSimple;
  if ((flags & kIntegers) != 0) return Grib1Packing::kIeee;
  return core::Error(ErrorCode::kUnsupported, "edition 1: a matrix of values at each point");
}

std::optional<std::uint64_t> grib1_value_count(std::span<const std::byte> section4) {
  const auto packing = grib1_packing(section4);
  if (!packing || *packing != Grib1Packing::kSimple) return std::nullopt;
  const unsigned bits = octet(section4, 11);
  const std::uint64_t stored = (section4.size() - kHeaderOctets) * 8;
  const unsigned unused = octet(section4, 4) & 0x0FU;
  if (bits == 0 || unused > stored) return std::nullopt;
  return (stored - unused) / bits;
}

core::Status decode_grib1(const Grib1Field& field, std::span<float> out) {
  return decode_any(field, out);
}

core::Status decode_grib1(const Grib1Field& field, std::span<double> out) {
  return decode_any(field, out);
}

}  // namespace icefield::grib
