#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "icechunk/commit/internal/box_cover.h"
#include "icechunk/commit/internal/reference_list.h"
#include "icechunk/format/manifest.h"
#include "icechunk/format/splitting.h"
#include "icechunk/session/array_changes.h"

namespace icefield::icechunk {

/// Manifests that an array may have beside one per window before small ones are merged: so many, or
/// 24 for each window that has more than one, where that is more. One or two windows grow at a time
/// as a rule; where all do, merging them all the time would cost more than it saves.
inline constexpr std::size_t kMostManifests = 64;
std::size_t most_beside(std::size_t most_manifests, std::size_t open_windows);

/// True when an array with these manifests has more than it may.
bool is_crowded(std::span<const ManifestRef> manifests, const Windows& windows);

/// One array of the snapshot that is built on, and what becomes of its manifests.
struct ArrayPlanInput {
  NodeId node;
  std::span<const ManifestRef> existing;
  const Windows* windows = nullptr;              // under the new shape
  std::shared_ptr<const SortedChanges> changes;  // null: none
  bool shape_changed = false;                    // manifests may reach outside the grid
  bool whole_windows = false;                    // every touched window ends as one manifest
  std::set<std::uint64_t> merge_windows = {};    // windows to merge although nothing changes
  std::size_t most_manifests = kMostManifests;   // beside one per window
};

struct ArrayPlan {
  ReferenceSources sources;
  std::vector<std::size_t> replaced;  // positions in `existing` that go, ascending
  std::vector<Piece> pieces;          // what takes their place, and what is new
  bool deletes_unheld = false;        // a deleted position is in no box: nothing to do for it now
};

/// Manifests by id, in the order asked for.
using ManifestLoader = std::function<core::Result<std::vector<std::shared_ptr<const Manifest>>>(
    std::span<const ManifestId>)>;

/// Decides which manifests of an array are kept, which are written again, and which are new, so
/// that afterwards
///  - every reference is in the first and only box that holds its position;
///  - no manifest reaches over a window's edge, of those written now;
///  - a manifest is written again only when a position in its box changed, when it would otherwise
///    lie in the way, or to keep within `most_manifests`;
///  - new positions get full boxes as long as few are enough: a box with a free position would
///    have to be written again when that position is filled.
/// Loads the manifests that are written again. Errors: those of loading, kCorrupt for a manifest
/// that does not hold the node.
core::Result<ArrayPlan> plan_array(const ArrayPlanInput& input, const ManifestLoader& load);

}  // namespace icefield::icechunk
