#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/bytes.h"

namespace icefield::grib {

/// The octets of one section, numbered from 1 as the WMO tables number them. Reading past the end
/// gives 0 and is remembered in whole(), so that a template is read straight through and checked
/// once at the end.
class Octets {
 public:
  explicit Octets(std::span<const std::byte> section) : bytes_(section) {}

  std::uint8_t u8(std::size_t octet) { return static_cast<std::uint8_t>(number(octet, 1)); }
  std::uint16_t u16(std::size_t octet) { return static_cast<std::uint16_t>(number(octet, 2)); }
  std::uint32_t u24(std::size_t octet) { return static_cast<std::uint32_t>(number(octet, 3)); }
  std::uint32_t u32(std::size_t octet) { return static_cast<std::uint32_t>(number(octet, 4)); }

  /// Sign-and-magnitude numbers: the highest bit is the sign (WMO regulation 92.1.5).
  int s8(std::size_t octet) { return static_cast<int>(signed_number(octet, 1)); }
  int s16(std::size_t octet) { return static_cast<int>(signed_number(octet, 2)); }
  std::int32_t s24(std::size_t octet) { return static_cast<std::int32_t>(signed_number(octet, 3)); }
  std::int32_t s32(std::size_t octet) { return static_cast<std::int32_t>(signed_number(octet, 4)); }

  /// Nothing where every bit is set, which says "missing".
  std::optional<std::uint32_t> present_u32(std::size_t octet) {
    const auto value = u32(octet);
    return value == 0xFFFFFFFFU ? std::nullopt : std::optional(value);
  }

  /// Octets in the section.
  std::size_t size() const { return bytes_.size(); }

  /// False when something was read past the end.
  bool whole() const { return whole_; }

 private:
  std::uint64_t number(std::size_t octet, std::size_t count) {
    if (octet == 0 || octet - 1 + count > bytes_.size()) {
      whole_ = false;
      return 0;
    }
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < count; ++i) {
      value = (value << 8U) | std::to_integer<std::uint64_t>(bytes_[octet - 1 + i]);
    }
    return value;
  }

  std::int64_t signed_number(std::size_t octet, std::size_t count) {
    const auto value = number(octet, count);
    const auto sign = std::uint64_t{1} << (8 * count - 1);
    const auto magnitude = static_cast<std::int64_t>(value & (sign - 1));
    return (value & sign) != 0 ? -magnitude : magnitude;
  }

  std::span<const std::byte> bytes_;
  bool whole_ = true;
};

}  // namespace icefield::grib
