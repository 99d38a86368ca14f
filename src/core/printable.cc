#include "core/printable.h"

#include <cstddef>

namespace icefield::core {
namespace {

/// Octets of the well-formed UTF-8 sequence that `rest` starts with (Unicode, table 3-7); 0: none.
std::size_t utf8_length(std::string_view rest) {
  const auto octet = [rest](std::size_t at) { return static_cast<unsigned char>(rest[at]); };
  const unsigned first = octet(0);
  if (first < 0x80) return 1;
  const std::size_t length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (length == 0 || first > 0xF4 || rest.size() < length) return 0;
  for (std::size_t at = 1; at < length; ++at) {
    if ((octet(at) & 0xC0U) != 0x80) return 0;
  }
  const unsigned second = octet(1);
  const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool no_character = (first == 0xED && second > 0x9F) || (first == 0xF4 && second > 0x8F);
  return overlong || no_character ? 0 : length;
}

bool is_control(char c) {
  const auto octet = static_cast<unsigned char>(c);
  return octet < 0x20 || octet == 0x7F;
}

void append_escaped(std::string& out, char c) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  const auto octet = static_cast<unsigned char>(c);
  out += {'\\', 'x', kDigits[octet >> 4U], kDigits[octet & 0xFU]};
}

}  // namespace

std::string printable(std::string_view whole) {
  std::string out;
  out.reserve(whole.size());
  for (std::size_t at = 0; at < whole.size();) {
    if (whole[at] == '\n') {
      ++at;
      if (whole.substr(at).starts_with("- ")) at += 2;
      out += out.ends_with(':') ? " " : "; ";
      continue;
    }
    const auto length = utf8_length(whole.substr(at));
    if (length == 0 || is_control(whole[at])) {
      append_escaped(out, whole[at++]);
      continue;
    }
    out += whole.substr(at, length);
    at += length;
  }
  return out;
}

}  // namespace icefield::core
