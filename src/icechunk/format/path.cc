#include "icechunk/format/path.h"

#include <algorithm>
#include <compare>
#include <string>
#include <string_view>

#include "core/text.h"

namespace icefield::icechunk {

core::Status check_path(std::string_view path) {
  const auto refuse = [path](std::string_view why) {
    return core::Error(core::ErrorCode::kInvalidArgument, core::text("path \"", path, "\": ", why));
  };
  if (path.empty() || path.front() != '/') return refuse("must start with /");
  if (path == "/") return {};
  for (std::size_t at = 1; at <= path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    const std::string_view segment = path.substr(at, end - at);
    if (segment.empty()) return refuse("empty segment");
    if (segment == "." || segment == "..") return refuse("segment . or ..");
    at = end + 1;
  }
  return {};
}

std::strong_ordering compare_by_segments(std::string_view left, std::string_view right) {
  // A segment's end sorts before every byte that could go on with it: '/' and the end of the
  // text rank lowest, and the end of the text lowest of all.
  const std::size_t both = std::min(left.size(), right.size());
  for (std::size_t at = 0; at < both; ++at) {
    const auto rank = [](char letter) {
      return letter == '/' ? -1 : static_cast<int>(static_cast<unsigned char>(letter));
    };
    const auto order = rank(left[at]) <=> rank(right[at]);
    if (std::is_neq(order)) return order;
  }
  return left.size() <=> right.size();
}

std::string_view parent_path(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == 0 ? path.substr(0, 1) : path.substr(0, slash);
}

std::string_view path_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

std::string join_path(std::string_view parent, std::string_view name) {
  std::string joined(parent);
  if (parent != "/") joined += '/';
  return joined += name;
}

bool is_below(std::string_view path, std::string_view ancestor) {
  if (ancestor == "/") return path.size() > 1;
  return path.size() > ancestor.size() && path.starts_with(ancestor) &&
         path[ancestor.size()] == '/';
}

std::string moved_path(std::string_view path, std::string_view from, std::string_view to) {
  if (path == from) return std::string(to);
  const std::string_view rest = from == "/" ? path : path.substr(from.size());
  return to == "/" ? std::string(rest) : std::string(to).append(rest);
}

}  // namespace icefield::icechunk
