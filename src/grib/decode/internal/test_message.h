#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "core/bytes.h"
#include "grib/decode/decode.h"
#include "grib/decode/grib1.h"

namespace icefield::grib::testing {

/// The parts of a message's first field that decoding needs; lends from the message.
struct Message {
  unsigned edition = 2;
  std::size_t n_points = 0;
  std::span<const std::byte> representation = {};  // section 5
  std::span<const std::byte> data = {};  // section 7 without its frame; edition 1: section 4
  std::optional<std::span<const std::byte>> bitmap = std::nullopt;
  int decimal_scale = 0;                        // edition 1
  std::vector<std::uint32_t> row_lengths = {};  // edition 1
};

inline std::optional<Message> split_edition_2(std::span<const std::byte> bytes) {
  Message message;
  std::size_t at = 16;
  while (at + 6 <= bytes.size()) {
    const std::size_t length = core::load_big_endian<std::uint32_t>(bytes, at);
    if (length < 6 || length > bytes.size() - at) {
      // a section 7 of five octets has no content
      if (length != 5 || bytes[at + 4] != std::byte{7}) return std::nullopt;
    }
    const auto section = bytes.subspan(at, length);
    const auto number = std::to_integer<int>(section[4]);
    if (number == 3 && length >= 10) {
      message.n_points = core::load_big_endian<std::uint32_t>(section, 6);
    } else if (number == 5) {
      message.representation = section;
    } else if (number == 6 && section[5] == std::byte{0}) {
      message.bitmap = section.subspan(6);
    } else if (number == 7) {
      message.data = section.subspan(5);
      return message;
    }
    at += length;
  }
  return std::nullopt;
}

/// A message of edition 1 with sections 1, 2, perhaps 3, and 4.
inline std::optional<Message> split_edition_1(std::span<const std::byte> bytes) {
  Message message{.edition = 1};
  const auto take = [&bytes](std::size_t least) -> std::span<const std::byte> {
    if (bytes.size() < 4) return {};
    const std::size_t length = core::load_big_endian<std::uint32_t>(bytes) >> 8U;
    if (length < least || length > bytes.size()) return {};
    const auto section = bytes.first(length);
    bytes = bytes.subspan(length);
    return section;
  };
  bytes = bytes.subspan(8);
  const auto product = take(28);
  const auto grid = take(11);
  if (product.empty() || grid.empty()) return std::nullopt;
  const auto scale = core::load_big_endian<std::uint16_t>(product, 26);
  message.decimal_scale = (scale & 0x8000U) != 0 ? -(scale & 0x7FFF) : scale;
  const std::uint32_t columns = core::load_big_endian<std::uint16_t>(grid, 6);
  const std::size_t rows = core::load_big_endian<std::uint16_t>(grid, 8);
  message.row_lengths.assign(rows, columns);
  message.n_points = columns * rows;
  if ((std::to_integer<unsigned>(product[7]) & 0x40U) != 0) {
    const auto bitmap = take(6);
    if (bitmap.empty()) return std::nullopt;
    message.bitmap = bitmap.subspan(6);
  }
  message.data = take(4);
  return message.data.empty() ? std::nullopt : std::optional(message);
}

/// Takes a message of either edition apart; nothing when it is none.
inline std::optional<Message> split_message(std::span<const std::byte> bytes) {
  if (bytes.size() < 16 || std::memcmp(bytes.data(), "GRIB", 4) != 0) return std::nullopt;
  if (bytes[7] == std::byte{1}) return split_edition_1(bytes);
  if (bytes[7] == std::byte{2}) return split_edition_2(bytes);
  return std::nullopt;
}

template <typename T>
core::Status decode_message(const Message& message, std::span<T> out) {
  if (message.edition == 1) {
    const Grib1Field field{.section4 = message.data,
                           .decimal_scale = message.decimal_scale,
                           .bitmap = message.bitmap,
                           .row_lengths = message.row_lengths};
    return decode_grib1(field, out);
  }
  TRY_ASSIGN(const auto representation, parse_representation(message.representation));
  return decode(representation, {.data = message.data, .bitmap = message.bitmap}, out);
}

}  // namespace icefield::grib::testing
