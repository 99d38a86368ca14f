#include "icechunk/format/preload.h"

#include <cstdint>
#include <limits>
#include <string_view>

#include "core/text.h"

namespace icefield::icechunk {
namespace {

constexpr unsigned kMaxDepth = 64;

core::Error corrupt(std::string_view what) {
  return core::Error(core::ErrorCode::kCorrupt,
                     core::text("configuration: manifest.preload.preload_if: ", what));
}

/// `"Unbounded"`, `{"Included": n}` or `{"Excluded": n}`.
bool is_bound(const core::Json* bound) {
  if (bound == nullptr) return false;
  if (bound->is_string()) return bound->as_string() == "Unbounded";
  if (!bound->is_object() || bound->as_object().size() != 1) return false;
  const auto& [name, number] = bound->as_object().front();
  return (name == "Included" || name == "Excluded") && number.is_unsigned() &&
         number.as_uint64() <= std::numeric_limits<std::uint32_t>::max();
}

core::Status check(const core::Json& condition, unsigned depth) {
  if (depth > kMaxDepth) return corrupt("nested too deeply");
  if (condition.is_string()) {
    const bool known = condition.as_string() == "true" || condition.as_string() == "false";
    return known ? core::Status() : corrupt(core::text("condition ", condition.as_string()));
  }
  if (!condition.is_object() || condition.as_object().size() != 1) return corrupt("no condition");
  const auto& [name, data] = condition.as_object().front();
  if ((name == "or" || name == "and") && data.is_array()) {
    for (const core::Json& part : data.as_array()) TRY(check(part, depth + 1));
    return {};
  }
  if (name == "path_matches" || name == "name_matches") {
    const core::Json* const regex = data.find("regex");
    if (regex != nullptr && regex->is_string()) return {};
    return corrupt(core::text(name, " without regex"));
  }
  if (name == "num_refs" && is_bound(data.find("from")) && is_bound(data.find("to"))) return {};
  return corrupt(core::text("condition ", name));
}

}  // namespace

core::Status check_preload_condition(const core::Json& condition) {
  return check(condition, 0);
}

}  // namespace icefield::icechunk
