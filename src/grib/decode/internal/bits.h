#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace icefield::grib {

/// The 8 bytes at `bytes` as a big-endian number. Precondition: they exist.
inline std::uint64_t load_eight(const std::byte* bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes, sizeof value);
  return __builtin_bswap64(value);
}

/// Unsigned numbers of one width, packed one after another, highest bit first.
struct PackedIntegers {
  std::span<const std::byte> bytes;
  std::uint64_t first_bit = 0;  // from the start of bytes
  unsigned width = 0;           // bits, 0..32; up to 56 where only read_bits is used

  std::uint64_t bits() const { return std::uint64_t{bytes.size()} * 8; }

  /// True when `count` numbers lie within the bytes. Precondition: first_bit < 2^62.
  bool holds(std::uint64_t count) const {
    if (width == 0) return true;
    return first_bit <= bits() && count <= (bits() - first_bit) / width;
  }
};

/// The `width` (0..56) bits from bit `position` on. Precondition: they lie within `bytes`.
inline std::uint64_t read_bits(std::span<const std::byte> bytes, std::uint64_t position,
                               unsigned width) {
  if (width == 0) return 0;
  const auto at = static_cast<std::size_t>(position / 8);
  const auto skip = static_cast<unsigned>(position % 8);
  std::uint64_t window = 0;
  if (at + 8 <= bytes.size()) [[likely]] {
    window = load_eight(bytes.data() + at);
  } else {
    for (std::size_t i = 0; i < 8; ++i) {
      const std::size_t from = at + i;
      window =
          window << 8U | (from < bytes.size() ? std::to_integer<std::uint64_t>(bytes[from]) : 0U);
    }
  }
  return window << skip >> (64U - width);
}

/// `octets` (0..8) octets as sign and magnitude (regulation 92.1.5).
/// Precondition: they lie within `bytes`.
inline std::int64_t read_signed_octets(std::span<const std::byte> bytes, std::size_t at,
                                       unsigned octets) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < octets; ++i) {
    value = value << 8U | std::to_integer<std::uint64_t>(bytes[at + i]);
  }
  if (octets == 0) return 0;
  const std::uint64_t sign = std::uint64_t{1} << (octets * 8U - 1U);
  const auto magnitude = static_cast<std::int64_t>(value & (sign - 1));
  return (value & sign) != 0 ? -magnitude : magnitude;
}

}  // namespace icefield::grib
