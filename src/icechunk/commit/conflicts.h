#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "icechunk/commit/commit.h"
#include "icechunk/format/chunk_grid.h"
#include "icechunk/format/snapshot.h"
#include "icechunk/format/transaction_log.h"
#include "icechunk/session/session_state.h"

namespace icefield::icechunk {

/// The kinds of contradiction between what a session changed and what was committed meanwhile.
/// Rows 0 to 10 are those of the format (docs/formats/icechunk.md, Rebase); the others close
/// holes through which the official rules let broken trees or lost changes pass.
enum class ConflictKind : std::uint8_t {
  kMoveCannotBeRebased,           // 0: theirs moves anything
  kNewNodeConflictsWithExisting,  // 1: ours creates where a node is, unless ours deletes that node
  kNewNodeInArray,                // 2: ours creates below what is an array
  kMetadataDoubleUpdate,          // 3: both replaced one node's zarr.json
  kUpdateOfDeletedArray,          // 4
  kUpdateOfDeletedGroup,          // 5
  kChunksOfDeletedArray,          // 6: ours changes chunks of an array theirs deleted
  kChunksOfUpdatedArray,          // 7: ours changes chunks of an array theirs updated
  kChunkDoubleUpdate,             // 8: both changed a chunk; can be solved
  kDeleteOfUpdatedArray,          // 9: ours deletes an array theirs changed; can be solved
  kDeleteOfUpdatedGroup,          // 10: ours deletes a group theirs updated; can be solved
  kNewNodeWithoutParent,          // hole a: ours creates below a group theirs deleted
  kDeleteOfGrownGroup,            // hole a: ours deletes a group theirs created something in
  kDeleteOfRecreatedNode,         // holes b, c: the node at a path we delete is another one now
  kMoveOfChangedTree,             // hole d: ours moves what theirs created in, deleted, or built on
};

/// The name of a kind in error texts: `ChunkDoubleUpdate`.
std::string_view conflict_name(ConflictKind kind);

struct Conflict {
  ConflictKind kind = ConflictKind::kMoveCannotBeRebased;
  std::string path;      // of the node, as the session knows it
  ChunkIndexSet chunks;  // of kChunkDoubleUpdate
};

/// What a session is to be moved over: one commit's log, and the tree it will stand on.
struct RebaseStep {
  const SessionState& ours;
  const TransactionLog& theirs;
  const Snapshot& tip;
};

/// All contradictions, row by row. Pure.
std::vector<Conflict> find_conflicts(const RebaseStep& step);

/// True when the policy says what to do about it.
bool solvable(const Conflict& conflict, const ConflictPolicy& policy);

/// "ChunkDoubleUpdate at /a (chunks [0, 1], [0, 2]); ...", the first ten.
std::string describe(const std::vector<Conflict>& conflicts);

}  // namespace icefield::icechunk
