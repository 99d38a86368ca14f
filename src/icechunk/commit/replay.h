#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "icechunk/commit/repository.h"
#include "icechunk/format/chunk_grid.h"
#include "icechunk/format/ids.h"
#include "icechunk/session/session.h"

namespace icefield::icechunk {

/// A chunk that both histories wrote; the replayed value was kept.
struct ReplayOverlap {
  std::string path;
  ChunkIndex index;
};

struct ReplayOptions {
  /// Arrays whose chunks the caller merges itself (one chunk that holds values of many positions,
  /// like a coordinate); their chunk changes are not replayed, their metadata is.
  std::function<bool(std::string_view path)> keep_chunks_of = [](std::string_view) {
    return false;
  };
};

struct ReplayReport {
  std::vector<SnapshotId> commits;      // whose changes were applied, oldest first
  std::uint64_t chunks = 0;             // references set or deleted
  std::vector<ReplayOverlap> overlaps;  // ascending by path, then index
};

/// Applies what the commits after `from` up to `to` changed to a session on another branch that
/// also began at `from` (COMMIT-4): a backfill's result takes over what updates published while
/// it ran. Chunks get the value they have at `to`. Documents that only one side changed keep that
/// change; where both did, the replayed side's attributes stand and each extent is the larger of
/// both. The session is changed, not committed.
///
/// Errors, with the session unchanged: kConflict, naming path and reason, when structure differs
/// (data type, fill value, codecs, chunks, dimension names), or the commits created, deleted or
/// moved a node, or the session's side deleted one that they changed; kInvalidArgument when `from`
/// is no ancestor of `to` or of the session's base.
core::Result<ReplayReport> replay(const Repository& repository, const SnapshotId& from,
                                  const SnapshotId& to, Session& onto,
                                  const ReplayOptions& options = {});

}  // namespace icefield::icechunk
