#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "grib/decode/internal/test_message.h"

namespace icefield::fuzz {

/// Decodes the first field of a message of edition 2 when it is packed as one of `Packings`, with
/// and without its bitmap, whatever the grid says its size is.
template <typename... Packings>
int decode_packed_as(const std::uint8_t* data, std::size_t size) {
  constexpr std::uint32_t kMostPoints = 1U << 16U;  // keeps one run short
  const auto message = grib::testing::split_message(std::as_bytes(std::span(data, size)));
  if (!message || message->edition != 2) return 0;
  auto representation = grib::parse_representation(message->representation);
  if (!representation) return 0;
  if (!(std::holds_alternative<Packings>(representation->packing) || ...)) return 0;
  representation->n_packed = std::min(representation->n_packed, kMostPoints);
  std::vector<float> packed(representation->n_packed);
  (void)grib::decode(*representation, {.data = message->data}, std::span(packed)).has_value();
  if (message->bitmap) {
    std::vector<double> all(std::min<std::size_t>(message->n_points, 2 * kMostPoints));
    const grib::PackedField field{.data = message->data, .bitmap = message->bitmap};
    (void)grib::decode(*representation, field, std::span(all)).has_value();
  }
  return 0;
}

}  // namespace icefield::fuzz
