#pragma once

#include <unordered_set>

#include "core/result.h"
#include "icechunk/commit/repository.h"

namespace icefield::icechunk {

/// What must not be deleted.
struct Marks {
  std::unordered_set<SnapshotId> snapshots;
  std::unordered_set<SnapshotId> logs;  // of snapshots and of their cut-out ancestors
  std::unordered_set<ManifestId> manifests;
  std::unordered_set<ChunkId> chunks;
};

enum class MarkChunks { kYes, kNo };

/// Adds a registered snapshot with all that it needs; nothing when it is marked already.
core::Status mark(AssetStore& assets, const SnapshotInfo& snapshot, MarkChunks chunks,
                  Marks& marks);

/// Snapshots that some branch or tag leads to, with their ancestors.
core::Result<std::unordered_set<SnapshotId>> reachable(const RepoInfo& repo);

}  // namespace icefield::icechunk
