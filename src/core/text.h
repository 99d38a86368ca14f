#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace icefield::core {

namespace detail {
inline void append_text(std::string& out, std::string_view part) {
  out += part;
}
template <typename T>
requires std::is_arithmetic_v<T>
void append_text(std::string& out, T part) {
  if constexpr (std::is_same_v<T, char>) {
    out += part;
  } else if constexpr (std::is_same_v<T, bool>) {
    out += part ? "true" : "false";
  } else {
    out += std::to_string(part);
  }
}
}  // namespace detail

/// Joins its arguments into one string: text(file, ": offset ", 12, " is past the end").
template <typename... Parts>
std::string text(const Parts&... parts) {
  std::string out;
  (detail::append_text(out, parts), ...);
  return out;
}

/// "a, b, c" for separator ", ".
std::string join(const std::vector<std::string>& parts, std::string_view separator);

/// The pieces between separators, empty ones included: split("a,,b", ',') gives "a", "", "b".
std::vector<std::string> split(std::string_view whole, char separator);

}  // namespace icefield::core
