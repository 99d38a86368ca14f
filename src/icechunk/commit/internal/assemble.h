#pragma once

#include <string_view>

#include "core/result.h"
#include "core/time.h"
#include "icechunk/commit/internal/flush.h"
#include "icechunk/format/snapshot.h"
#include "icechunk/format/transaction_log.h"
#include "icechunk/session/session_state.h"

namespace icefield::icechunk {

/// The tree as the session sees it, with the manifests of `flush`: nodes and manifest files of a
/// snapshot, everything but id, time, message and metadata.
/// Errors: kInvalidArgument when the tree cannot be one (two nodes at one path).
core::Result<Snapshot> assemble_tree(const SessionState& state, const Flush& flush);

/// What the session changed, under the id of the snapshot it became.
core::Result<TransactionLog> assemble_log(const SessionState& state, const SnapshotId& id);

}  // namespace icefield::icechunk
