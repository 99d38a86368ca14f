#include "icechunk/format/internal/url.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace icefield::icechunk::internal {
namespace {

constexpr std::string_view kHexDigits = "0123456789ABCDEF";

bool is_letter(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
}

bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

int hex_value(char digit) {
  if (is_digit(digit)) return digit - '0';
  const char small = lower(digit);
  return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

/// Calls `visit(segment)` for the texts between '/', the empty one before a leading '/' left out.
template <typename Visit>
void for_each_segment(std::string_view path, const Visit& visit) {
  if (path.starts_with('/')) path.remove_prefix(1);
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    visit(path.substr(at, end - at));
    at = end + 1;
  }
}

}  // namespace

std::optional<Url> split_url(std::string_view text) {
  const std::size_t colon = text.find("://");
  if (colon == std::string_view::npos || colon == 0 || !is_letter(text.front())) {
    return std::nullopt;
  }
  Url url;
  for (const char letter : text.substr(0, colon)) {
    const bool fits =
        is_letter(letter) || is_digit(letter) || letter == '+' || letter == '-' || letter == '.';
    if (!fits) return std::nullopt;
    url.scheme += lower(letter);
  }
  text.remove_prefix(colon + 3);
  const std::size_t authority = std::min(text.find_first_of("/?#"), text.size());
  url.authority = text.substr(0, authority);
  text.remove_prefix(authority);
  const std::size_t path = std::min(text.find_first_of("?#"), text.size());
  url.path = text.substr(0, path);
  url.suffix = text.substr(path);
  return url;
}

std::string_view canonical_scheme(std::string_view scheme) {
  if (scheme == "gcs") return "gs";
  if (scheme == "azure" || scheme == "abfs") return "az";
  return scheme;
}

std::string percent_decoded(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '%' && i + 2 < text.size() && hex_value(text[i + 1]) >= 0 &&
                        hex_value(text[i + 2]) >= 0;
    if (escape) {
      decoded += static_cast<char>(hex_value(text[i + 1]) * 16 + hex_value(text[i + 2]));
      i += 2;
    } else {
      decoded += text[i];
    }
  }
  return decoded;
}

std::string percent_encoded_path(std::string_view path) {
  constexpr std::string_view kForbidden = " \"#<>?`{}%";
  std::string encoded;
  for (const char letter : path) {
    const auto byte = static_cast<unsigned char>(letter);
    if (byte <= 0x1F || byte >= 0x7F || kForbidden.find(letter) != std::string_view::npos) {
      encoded += '%';
      encoded += kHexDigits[byte >> 4U];
      encoded += kHexDigits[byte & 15U];
    } else {
      encoded += letter;
    }
  }
  return encoded;
}

bool has_dot_segment(std::string_view path) {
  bool found = false;
  for_each_segment(path, [&found](std::string_view segment) {
    found = found || segment == "." || segment == "..";
  });
  return found;
}

bool has_odd_segment(std::string_view path) {
  bool found = false;
  for_each_segment(path, [&found](std::string_view segment) {
    found = found || segment.empty() || segment == "." || segment == "..";
  });
  return found;
}

std::string resolved_path(std::string_view path) {
  std::vector<std::string_view> kept;
  bool ends_open = false;  // the last segment was . or .., so that a '/' ends the path
  for_each_segment(path, [&](std::string_view segment) {
    ends_open = segment == "." || segment == "..";
    if (segment == "..") {
      if (!kept.empty()) kept.pop_back();
    } else if (segment != ".") {
      kept.push_back(segment);
    }
  });
  if (ends_open) kept.emplace_back();
  std::string resolved;
  for (const std::string_view segment : kept) resolved.append("/").append(segment);
  return resolved.empty() ? "/" : resolved;
}

}  // namespace icefield::icechunk::internal
