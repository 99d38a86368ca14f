#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/result.h"
#include "icechunk/commit/repository.h"
#include "icechunk/format/chunk_grid.h"

namespace icefield::icechunk {

/// What changed between two snapshots, by path. Lists are ascending.
struct Diff {
  std::vector<std::string> created;
  std::vector<std::string> deleted;
  std::vector<std::string> updated;                        // zarr.json replaced
  std::map<std::string, ChunkIndexSet> chunks;             // set, overwritten or deleted
  std::vector<std::pair<std::string, std::string>> moved;  // from, to
};

/// The union of the logs of everything after `from` up to `to`, cut-out ancestors included.
/// Nodes that neither snapshot holds (created and deleted in between) are left out.
/// Errors: kNotFound; kInvalidArgument when `from` is no ancestor of `to`.
core::Result<Diff> diff(const Repository& repository, const SnapshotId& from, const SnapshotId& to);

}  // namespace icefield::icechunk
