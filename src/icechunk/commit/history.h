#pragma once

#include <vector>

#include "core/result.h"
#include "icechunk/format/repo_info.h"

namespace icefield::icechunk {

/// Ids of the logs of everything after `from` up to `to`, those of cut-out ancestors included,
/// oldest first: together the full change between the two.
/// Errors: kNotFound: `to` is unknown; kInvalidArgument: `from` is no ancestor of it.
core::Result<std::vector<SnapshotId>> logs_between(const RepoInfo& repo, const SnapshotId& from,
                                                   const SnapshotId& to);

}  // namespace icefield::icechunk
