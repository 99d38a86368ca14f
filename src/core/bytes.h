#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace icefield::core {

using Bytes = std::vector<std::byte>;

/// Half-open byte interval [offset, offset + length) of one object.
struct ByteRange {
  std::uint64_t offset = 0;  // bytes from the object's start
  std::uint64_t length = 0;  // bytes
  constexpr std::uint64_t end() const noexcept { return offset + length; }
  friend constexpr auto operator<=>(const ByteRange&, const ByteRange&) = default;
};

/// The same memory as text, not checked for UTF-8. Valid as long as `bytes`.
inline std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};  // NOLINT: char may alias
}

/// The same memory as bytes. Valid as long as `text`.
inline std::span<const std::byte> as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};  // NOLINT: may alias
}

inline Bytes to_bytes(std::string_view text) {
  const auto view = as_bytes(text);
  return {view.begin(), view.end()};
}

/// Unsigned big-endian number at `at`. Precondition: at + sizeof(T) <= bytes.size().
template <std::unsigned_integral T>
constexpr T load_big_endian(std::span<const std::byte> bytes, std::size_t at = 0) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    value = (value << 8U) | std::to_integer<std::uint64_t>(bytes[at + i]);
  }
  return static_cast<T>(value);
}

/// Unsigned little-endian number at `at`. Precondition: at + sizeof(T) <= bytes.size().
template <std::unsigned_integral T>
constexpr T load_little_endian(std::span<const std::byte> bytes, std::size_t at = 0) {
  std::uint64_t value = 0;
  for (std::size_t i = sizeof(T); i-- > 0;) {
    value = (value << 8U) | std::to_integer<std::uint64_t>(bytes[at + i]);
  }
  return static_cast<T>(value);
}

/// Appends `value` in big-endian order.
template <std::unsigned_integral T>
void append_big_endian(Bytes& out, T value) {
  for (std::size_t i = sizeof(T); i-- > 0;) {
    out.push_back(static_cast<std::byte>((static_cast<std::uint64_t>(value) >> (8 * i)) & 0xFFU));
  }
}

/// Appends `value` in little-endian order.
template <std::unsigned_integral T>
void append_little_endian(Bytes& out, T value) {
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    out.push_back(static_cast<std::byte>((static_cast<std::uint64_t>(value) >> (8 * i)) & 0xFFU));
  }
}

}  // namespace icefield::core
