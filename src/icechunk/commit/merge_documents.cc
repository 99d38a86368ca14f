#include "icechunk/commit/internal/merge_documents.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "core/json.h"

namespace icefield::icechunk {
namespace {

using core::Json;

constexpr std::array<std::string_view, 2> kMayDiffer = {"shape", "attributes"};

/// Errors: kConflict, naming the first member that differs.
core::Status check_same_structure(const Json& ours, const Json& theirs) {
  for (const auto& [one, other] : {std::pair(&ours, &theirs), std::pair(&theirs, &ours)}) {
    for (const auto& [name, value] : one->as_object()) {
      if (std::ranges::find(kMayDiffer, name) != kMayDiffer.end()) continue;
      const Json* match = other->find(name);
      if (match == nullptr || !(*match == value)) {
        return core::Error(core::ErrorCode::kConflict, "structure differs: " + name);
      }
    }
  }
  return {};
}

/// The larger extent along each dimension; nothing for groups.
core::Result<Json> larger_shape(const Json* ours, const Json* theirs) {
  if (ours == nullptr || theirs == nullptr) return Json();
  if (!ours->is_array() || !theirs->is_array() ||
      ours->as_array().size() != theirs->as_array().size()) {
    return core::Error(core::ErrorCode::kConflict, "structure differs: rank");
  }
  Json::Array shape;
  for (std::size_t d = 0; d < ours->as_array().size(); ++d) {
    const Json& one = ours->as_array()[d];
    const Json& other = theirs->as_array()[d];
    if (!one.is_unsigned() || !other.is_unsigned()) {
      return core::Error(core::ErrorCode::kCorrupt, "shape holds something else than sizes");
    }
    shape.emplace_back(std::max(one.as_uint64(), other.as_uint64()));
  }
  return Json(std::move(shape));
}

core::Bytes copy(std::span<const std::byte> bytes) {
  return {bytes.begin(), bytes.end()};
}

}  // namespace

core::Result<core::Bytes> merge_documents(std::span<const std::byte> ours,
                                          std::span<const std::byte> theirs) {
  TRY_ASSIGN(const Json one, Json::parse(core::as_text(ours)));
  TRY_ASSIGN(const Json other, Json::parse(core::as_text(theirs)));
  if (!one.is_object() || !other.is_object()) {
    return core::Error(core::ErrorCode::kCorrupt, "zarr.json is no object");
  }
  TRY(check_same_structure(one, other));
  TRY_ASSIGN(Json shape, larger_shape(one.find("shape"), other.find("shape")));
  Json merged = other;
  if (!shape.is_null()) merged.set("shape", std::move(shape));
  if (merged == other) return copy(theirs);
  if (merged == one) return copy(ours);
  constexpr int kIndent = 2;  // as zarr-python writes documents
  return core::to_bytes(merged.dump({.indent = kIndent}));
}

}  // namespace icefield::icechunk
