#include "object_store/internal/environment.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace icefield::object_store {

Environment process_environment() {
  return [](std::string_view name) -> std::optional<std::string> {
    const char* const value = std::getenv(std::string(name).c_str());  // NOLINT: nobody writes it
    if (value == nullptr || *value == '\0') return std::nullopt;
    return value;
  };
}

bool is_true(const std::optional<std::string>& value) {
  if (!value) return false;
  std::string lower = *value;
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower == "1" || lower == "true" || lower == "yes";
}

}  // namespace icefield::object_store
