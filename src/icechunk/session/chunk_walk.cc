#include "icechunk/session/chunk_walk.h"

#include <algorithm>
#include <compare>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/text.h"
#include "icechunk/format/manifest.h"

namespace icefield::icechunk {
namespace {

/// References of one manifest inside its box, one after the other.
struct Cursor {
  std::size_t listed = 0;  // position in the node's list
  const ChunkBox* box = nullptr;
  std::shared_ptr<const Manifest> manifest;
  std::optional<Manifest::Array> array;
  std::size_t at = 0;

  bool done() const { return !array || at == array->size(); }
  ChunkIndexView index() const { return array->index(at); }
};

class Walk {
 public:
  Walk(const SessionState& state, const NodeState& array,
       const std::function<bool(const ChunkEntry&)>& visit)
      : state_(state), array_(array), visit_(visit) {
    if (const auto* changes = state.changes().chunks_of(array.id)) {
      changes_ = changes->sorted(state.locations());
    }
    if (array.base != nullptr && !array.base->array->manifests.empty()) {
      boxes_ = state.box_index(*array.base);
    }
  }

  core::Status run() {
    if (boxes_) {
      const auto& manifests = array_.base->array->manifests;
      std::vector<std::size_t> order(manifests.size());
      for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
      const auto from = [&](std::size_t i) { return first(manifests[i].extents).from; };
      std::ranges::stable_sort(order, {}, from);
      std::size_t begin = 0;
      while (begin < order.size() && !stopped_) {
        std::uint32_t reach = first(manifests[order[begin]].extents).to;
        std::size_t end = begin + 1;
        while (end < order.size() && from(order[end]) < reach) {
          reach = std::max(reach, first(manifests[order[end]].extents).to);
          ++end;
        }
        TRY(walk_group(std::span(order).subspan(begin, end - begin)));
        begin = end;
      }
    }
    while (!stopped_ && changes_ && change_ < changes_->size()) give_change();
    return {};
  }

 private:
  static ChunkRange first(const ChunkBox& box) {
    return box.rank() == 0 ? ChunkRange{.from = 0, .to = 1} : box[0];
  }

  core::Status walk_group(std::span<const std::size_t> listed) {
    std::vector<Cursor> cursors;
    for (const std::size_t at : listed) {
      TRY_ASSIGN(auto cursor, open(at));
      skip_hidden(cursor);
      if (!cursor.done()) cursors.push_back(std::move(cursor));
    }
    while (!cursors.empty() && !stopped_) {
      const auto least = std::ranges::min_element(cursors, [](const Cursor& a, const Cursor& b) {
        return std::is_lt(compare_indices(a.index(), b.index()));
      });
      TRY(give(*least));
      ++least->at;
      skip_hidden(*least);
      if (least->done()) cursors.erase(least);
    }
    return {};
  }

  core::Result<Cursor> open(std::size_t listed) const {
    const ManifestRef& ref = array_.base->array->manifests[listed];
    const ManifestFile* file = state_.base().find_manifest(ref.id);
    if (file == nullptr) {
      return core::Error(
          core::ErrorCode::kCorrupt,
          core::text(array_.path, ": manifest ", ref.id.text(), " is not in its snapshot's list"));
    }
    TRY_ASSIGN(auto manifest, state_.context().assets->manifest(*file));
    Cursor cursor{.listed = listed,
                  .box = &ref.extents,
                  .manifest = std::move(manifest),
                  .array = std::nullopt};
    cursor.array = cursor.manifest->find_array(array_.id);
    return cursor;
  }

  /// Passes over references that a reader would not find: outside the grid or the manifest's box,
  /// or in a box that is not the first to hold the position.
  void skip_hidden(Cursor& cursor) const {
    while (!cursor.done()) {
      const ChunkIndexView index = cursor.index();
      if (inside_grid(index, *array_.shape) && cursor.box->contains(index) &&
          boxes_->find(index) == cursor.listed) {
        return;
      }
      ++cursor.at;
    }
  }

  core::Status give(Cursor& cursor) {
    const ChunkIndexView index = cursor.index();
    while (!stopped_ && changes_ && change_ < changes_->size()) {
      const auto order = compare_indices(changes_->index(change_), index);
      if (std::is_gt(order)) break;
      give_change();
      if (std::is_eq(order)) return {};  // it replaces this one
    }
    if (stopped_) return {};
    TRY_ASSIGN(const auto view, cursor.array->view(cursor.at, scratch_));
    stopped_ = !visit_({.index = index, .reference = view});
    return {};
  }

  void give_change() {
    const ChunkIndexView index = changes_->index(change_);
    const auto view = changes_->view(change_);
    ++change_;
    if (view && inside_grid(index, *array_.shape)) {
      stopped_ = !visit_({.index = index, .reference = *view});
    }
  }

  const SessionState& state_;
  const NodeState& array_;
  const std::function<bool(const ChunkEntry&)>& visit_;
  std::shared_ptr<const SortedChanges> changes_;
  std::shared_ptr<const BoxIndex> boxes_;
  std::size_t change_ = 0;
  bool stopped_ = false;
  std::string scratch_;
};

}  // namespace

core::Status walk_chunks(const SessionState& state, const NodeState& array,
                         const std::function<bool(const ChunkEntry&)>& visit) {
  return Walk(state, array, visit).run();
}

}  // namespace icefield::icechunk
