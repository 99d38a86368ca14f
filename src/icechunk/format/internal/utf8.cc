#include "icechunk/format/internal/utf8.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace icefield::icechunk::internal {
namespace {

constexpr std::uint64_t kHighBits = 0x8080808080808080U;

std::uint64_t eight_at(const char* place) {
  std::uint64_t eight = 0;
  std::memcpy(&eight, place, sizeof(eight));
  return eight;
}

bool is_ascii(std::string_view text) {
  constexpr std::size_t kEight = sizeof(std::uint64_t);
  if (text.size() < kEight) {
    return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  }
  std::uint64_t all = eight_at(text.data() + text.size() - kEight);  // perhaps some bytes twice
  for (std::size_t at = 0; at + kEight <= text.size(); at += kEight) {
    all |= eight_at(text.data() + at);
  }
  return (all & kHighBits) == 0;
}

constexpr bool continues(unsigned char byte) {
  return (byte & 0xC0U) == 0x80U;
}

/// Length of the well-formed multi-byte sequence at the front, or 0.
std::size_t sequence_length(std::string_view text) {
  const auto at = [text](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : static_cast<unsigned char>(0);
  };
  const unsigned char lead = at(0);
  if (lead >= 0xC2 && lead <= 0xDF) return continues(at(1)) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    const unsigned char least = lead == 0xE0 ? 0xA0 : 0x80;
    const unsigned char most = lead == 0xED ? 0x9F : 0xBF;
    return at(1) >= least && at(1) <= most && continues(at(2)) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const unsigned char least = lead == 0xF0 ? 0x90 : 0x80;
    const unsigned char most = lead == 0xF4 ? 0x8F : 0xBF;
    return at(1) >= least && at(1) <= most && continues(at(2)) && continues(at(3)) ? 4 : 0;
  }
  return 0;
}

}  // namespace

bool is_utf8(std::string_view text) {
  if (is_ascii(text)) return true;  // nearly all text is
  while (!text.empty()) {
    while (!text.empty() && static_cast<unsigned char>(text.front()) < 0x80) text.remove_prefix(1);
    if (text.empty()) return true;
    const std::size_t length = sequence_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace icefield::icechunk::internal
