#include "sample_source/fault.h"

#include <fnmatch.h>

#include "core/text.h"

namespace icefield::sample_source {
namespace {

struct NamedKind {
  std::string_view name;
  FaultKind kind;
};

constexpr NamedKind kKinds[] = {
    {"late", FaultKind::kLate},
    {"missing", FaultKind::kMissing},
    {"missing-index", FaultKind::kMissingIndex},
    {"truncated", FaultKind::kTruncated},
    {"stale-index", FaultKind::kStaleIndex},
    {"empty", FaultKind::kEmpty},
    {"empty-index", FaultKind::kEmptyIndex},
};

}  // namespace

std::string_view name_of(FaultKind kind) {
  for (const auto& named : kKinds) {
    if (named.kind == kind) return named.name;
  }
  return "";
}

core::Result<Fault> parse_fault(std::string_view text) {
  const auto equals = text.find('=');
  if (equals != std::string_view::npos && equals + 1 < text.size()) {
    for (const auto& named : kKinds) {
      if (named.name == text.substr(0, equals)) {
        return Fault{.kind = named.kind, .pattern = std::string(text.substr(equals + 1))};
      }
    }
  }
  std::vector<std::string> kinds;
  for (const auto& named : kKinds) kinds.emplace_back(named.name);
  return core::Error(core::ErrorCode::kInvalidArgument,
                     core::text("fault ", text, ": expected KIND=FILE with KIND one of ",
                                core::join(kinds, ", ")));
}

bool names(const Fault& fault, const std::string& key) {
  if (key.ends_with(fault.pattern)) return true;
  const auto slash = key.rfind('/');
  const std::string file = slash == std::string::npos ? key : key.substr(slash + 1);
  return fnmatch(fault.pattern.c_str(), key.c_str(), 0) == 0 ||
         fnmatch(fault.pattern.c_str(), file.c_str(), 0) == 0;
}

std::optional<FaultKind> fault_of(std::span<const Fault> faults, const std::string& key) {
  std::optional<FaultKind> kind;
  for (const auto& fault : faults) {
    if (names(fault, key)) kind = fault.kind;
  }
  return kind;
}

}  // namespace icefield::sample_source
