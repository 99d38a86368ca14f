#include "icechunk/session/chunk_lookup.h"

#include <algorithm>

#include "core/text.h"

namespace icefield::icechunk {

ChunkLookup::ChunkLookup(const SessionState& state, const NodeState& array)
    : state_(state), node_(array), changes_(state.changes().chunks_of(array.id)) {
  if (node_.base != nullptr && !node_.base->array->manifests.empty()) {
    boxes_ = state.box_index(*node_.base);
  }
}

core::Status ChunkLookup::check_rank(ChunkIndexView index) const {
  if (index.size() == node_.shape->size()) return {};
  return core::Error(core::ErrorCode::kInvalidArgument,
                     core::text(node_.path, ": a chunk index of ", index.size(),
                                " numbers in an array of rank ", node_.shape->size()));
}

core::Status ChunkLookup::open_manifest(std::size_t at) {
  const ManifestRef& ref = node_.base->array->manifests[at];
  const ManifestFile* file = state_.base().find_manifest(ref.id);
  if (file == nullptr) {
    return core::Error(
        core::ErrorCode::kCorrupt,
        core::text(node_.path, ": manifest ", ref.id.text(), " is not in its snapshot's list"));
  }
  TRY_ASSIGN(manifest_, state_.context().assets->manifest(*file));
  array_ = manifest_->find_array(node_.id);
  dense_ = array_ && array_->size() == ref.extents.volume();
  opened_ = at;
  return {};
}

core::Result<std::optional<std::size_t>> ChunkLookup::locate(ChunkIndexView index) {
  const auto& manifests = node_.base->array->manifests;
  if (!opened_ || !manifests[*opened_].extents.contains(index)) {
    const auto at = boxes_->find(index);
    if (!at) return {std::nullopt};
    if (at != opened_) TRY(open_manifest(*at));
  }
  if (!array_) return {std::nullopt};
  if (dense_) {
    std::size_t guess = 0;
    const auto ranges = manifests[*opened_].extents.ranges();
    for (std::size_t d = 0; d < ranges.size(); ++d) {
      guess = guess * (ranges[d].to - ranges[d].from) + (index[d] - ranges[d].from);
    }
    if (guess < array_->size() && std::ranges::equal(array_->index(guess), index)) return {guess};
  }
  return array_->position_of(index);
}

core::Result<bool> ChunkLookup::contains(ChunkIndexView index) {
  TRY(check_rank(index));
  if (!inside_grid(index, *node_.shape)) return false;
  if (changes_ != nullptr) {
    if (const auto change = changes_->find(index, state_.locations())) {
      return change->reference.has_value();
    }
  }
  if (!boxes_) return false;
  TRY_ASSIGN(const auto at, locate(index));
  return at.has_value();
}

core::Result<std::optional<ReferenceView>> ChunkLookup::find(ChunkIndexView index) {
  TRY(check_rank(index));
  if (!inside_grid(index, *node_.shape)) return {std::nullopt};
  if (changes_ != nullptr) {
    if (const auto change = changes_->find(index, state_.locations())) return change->reference;
  }
  if (!boxes_) return {std::nullopt};
  TRY_ASSIGN(const auto at, locate(index));
  if (!at) return {std::nullopt};
  TRY_ASSIGN(const auto view, array_->view(*at, scratch_));
  return {view};
}

}  // namespace icefield::icechunk
