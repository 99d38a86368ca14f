#include "icechunk/format/internal/utf8.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace icefield::icechunk::internal {
namespace {

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
  while (!text.empty()) {
    std::uint64_t eight = 0;
    while (text.size() >= sizeof(eight)) {  // nearly all text is ASCII
      std::memcpy(&eight, text.data(), sizeof(eight));
      if ((eight & 0x8080808080808080U) != 0) break;
      text.remove_prefix(sizeof(eight));
    }
    while (!text.empty() && static_cast<unsigned char>(text.front()) < 0x80) text.remove_prefix(1);
    if (text.empty()) return true;
    const std::size_t length = sequence_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace icefield::icechunk::internal
