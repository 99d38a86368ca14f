#include "core/text.h"

namespace icefield::core {

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string out;
  for (const auto& part : parts) {
    if (!out.empty() || &part != &parts.front()) out += separator;
    out += part;
  }
  return out;
}

std::vector<std::string> split(std::string_view whole, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const auto at = whole.find(separator);
    parts.emplace_back(whole.substr(0, at));
    if (at == std::string_view::npos) return parts;
    whole.remove_prefix(at + 1);
  }
}

}  // namespace icefield::core
