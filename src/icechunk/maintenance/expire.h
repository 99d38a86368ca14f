#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/time.h"
#include "icechunk/commit/repository.h"

namespace icefield::icechunk {

struct ExpireOptions {
  core::Instant older_than;  // snapshots flushed before this expire
  bool delete_branches =
      false;                 // those (but main) that point to an expired snapshot; else it stays
  bool delete_tags = false;  // likewise
  bool dry_run = false;      // only tell what would be done
};

struct ExpireResult {
  std::vector<SnapshotId> released;   // no longer part of any history, ascending
  std::size_t shortened = 0;          // snapshots that got another parent
  std::vector<std::string> branches;  // deleted, ascending
  std::vector<std::string> tags;      // deleted, ascending
  bool nothing() const { return released.empty() && branches.empty() && tags.empty(); }
};

/// Shortens history (docs/formats/icechunk.md, Expire); deletes no objects, which is for
/// collect_garbage. The logs of ancestors that go stay known to the snapshots behind them, so that
/// diff and rebase see the full change. Atomic; beside other writers it starts over.
/// Does not touch the repository when there is nothing to do.
core::Result<ExpireResult> expire(const Repository& repository, const ExpireOptions& options);

/// The same on a value, without the log entry.
ExpireResult expire_in(RepoInfo& repo, const ExpireOptions& options);

}  // namespace icefield::icechunk
