#include "object_store/internal/percent.h"

#include <charconv>
#include <cstddef>

namespace icefield::object_store {
namespace {

void append_encoded(std::string& out, char c) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  const auto octet = static_cast<unsigned char>(c);
  out += '%';
  out += kDigits[octet >> 4U];
  out += kDigits[octet & 0xFU];
}

bool unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

template <typename Kept>
std::string encode_but(std::string_view text, const Kept& kept) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (kept(c)) {
      out += c;
    } else {
      append_encoded(out, c);
    }
  }
  return out;
}

}  // namespace

std::string percent_encode_path(std::string_view path) {
  static constexpr std::string_view kNotInPaths = "%?#\\\"<>^`{|}";
  return encode_but(path, [](char c) {
    return c > ' ' && c <= '~' && kNotInPaths.find(c) == std::string_view::npos;
  });
}

std::string percent_encode_all(std::string_view text) {
  return encode_but(text, unreserved);
}

std::string percent_encode_segments(std::string_view path) {
  return encode_but(path, [](char c) { return c == '/' || unreserved(c); });
}

core::Result<std::string> percent_decode(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    unsigned octet = 0;
    const auto digits = text.substr(i + 1, 2);
    const auto* const end = digits.data() + digits.size();
    const auto read = std::from_chars(digits.data(), end, octet, 16);
    if (digits.size() != 2 || read.ptr != end) {
      return core::Error(core::ErrorCode::kInvalidArgument,
                         "'%' without two hex digits in '" + std::string(text) + "'");
    }
    out += static_cast<char>(octet);
    i += 2;
  }
  return out;
}

}  // namespace icefield::object_store
