#pragma once

#include "core/result.h"
#include "icechunk/commit/commit.h"
#include "icechunk/format/repo_info.h"
#include "icechunk/session/session_state.h"

namespace icefield::icechunk {

/// Moves a session's changes from its base onto `tip`, a snapshot of `repo`.
/// Errors, with the session as it was: kConflict for contradictions that the policy does not
/// solve, and when the base is no ancestor of the tip (the branch was reset): what was changed
/// there cannot be seen (hole e); kNotFound when a log that is needed is gone.
core::Status rebase_onto(SessionState& state, const RepoInfo& repo, const SnapshotId& tip,
                         const ConflictPolicy& policy);

}  // namespace icefield::icechunk
