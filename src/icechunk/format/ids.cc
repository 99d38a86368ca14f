#include "icechunk/format/ids.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace icefield::icechunk {
namespace {

constexpr std::string_view kAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
constexpr std::uint8_t kForeign = 0xFF;

constexpr std::array<std::uint8_t, 256> make_digit_values() {
  std::array<std::uint8_t, 256> values{};
  values.fill(kForeign);
  for (std::size_t i = 0; i < kAlphabet.size(); ++i) {
    const auto letter = static_cast<std::uint8_t>(kAlphabet[i]);
    const auto value = static_cast<std::uint8_t>(i);
    values[letter] = value;
    if (letter >= 'A') values[letter + ('a' - 'A')] = value;
  }
  for (const char zero : {'O', 'o'}) values[static_cast<std::uint8_t>(zero)] = 0;
  for (const char one : {'I', 'i', 'L', 'l'}) values[static_cast<std::uint8_t>(one)] = 1;
  return values;
}

constexpr std::array<std::uint8_t, 256> kDigitValues = make_digit_values();

}  // namespace

std::string crockford_text(std::span<const std::uint8_t> bytes) {
  std::string text;
  text.reserve((bytes.size() * 8 + 4) / 5);
  std::uint32_t window = 0;  // its low `held` bits are not written yet
  unsigned held = 0;
  for (const std::uint8_t byte : bytes) {
    window = (window << 8U) | byte;
    for (held += 8; held >= 5; held -= 5) text += kAlphabet[(window >> (held - 5)) & 31U];
  }
  if (held > 0) text += kAlphabet[(window << (5 - held)) & 31U];
  return text;
}

bool parse_crockford(std::string_view text, std::span<std::uint8_t> out) {
  if (text.size() != (out.size() * 8 + 4) / 5) return false;
  std::uint32_t window = 0;
  unsigned held = 0;
  std::size_t at = 0;
  for (const char letter : text) {
    const std::uint8_t value = kDigitValues[static_cast<std::uint8_t>(letter)];
    if (value == kForeign) return false;
    window = (window << 5U) | value;
    held += 5;
    if (held >= 8) {
      held -= 8;
      out[at++] = static_cast<std::uint8_t>(window >> held);
    }
  }
  return (window & ((1U << held) - 1U)) == 0;  // the filling bits
}

}  // namespace icefield::icechunk
