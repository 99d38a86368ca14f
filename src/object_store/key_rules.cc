#include "object_store/key_rules.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "core/text.h"

namespace icefield::object_store {
namespace {

constexpr std::size_t kMaxKeyBytes = 1024;

bool bad_segment(std::string_view segment) {
  return segment.empty() || segment == "." || segment == "..";
}

// Every request checks its key, so nothing is allocated here.
bool has_bad_segment(std::string_view path) {
  for (;;) {
    const auto cut = path.find('/');
    if (bad_segment(path.substr(0, cut))) return true;
    if (cut == std::string_view::npos) return false;
    path.remove_prefix(cut + 1);
  }
}

}  // namespace

core::Status check_key(const Key& key) {
  const std::string& name = key.value();
  const auto refuse = [&name](std::string_view why) {
    const auto shown = name.substr(0, 200);
    return core::Error(core::ErrorCode::kInvalidArgument,
                       core::text("object key '", shown, "': ", why));
  };
  if (name.empty()) return refuse("is empty");
  if (name.size() > kMaxKeyBytes) return refuse("is longer than 1024 bytes");
  if (name.find('\0') != std::string::npos) return refuse("holds a NUL byte");
  if (has_bad_segment(name)) return refuse("holds an empty, '.' or '..' segment");
  return {};
}

bool may_start_a_key(std::string_view prefix) {
  if (prefix.size() > kMaxKeyBytes || prefix.find('\0') != std::string_view::npos) return false;
  const auto cut = prefix.rfind('/');
  return cut == std::string_view::npos || !has_bad_segment(prefix.substr(0, cut));
}

bool is_temporary_name(std::string_view name) {
  const auto mark = name.rfind('#');
  if (mark == std::string_view::npos || mark + 1 == name.size()) return false;
  return std::ranges::all_of(name.substr(mark + 1), [](char c) { return c >= '0' && c <= '9'; });
}

std::string_view last_segment(std::string_view key) {
  const auto cut = key.rfind('/');
  return cut == std::string_view::npos ? key : key.substr(cut + 1);
}

}  // namespace icefield::object_store
