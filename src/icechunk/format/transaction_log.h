#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/result.h"
#include "icechunk/format/chunk_grid.h"
#include "icechunk/format/ids.h"

namespace icefield::icechunk {

/// Ids in ascending order without repetition.
using NodeIds = std::vector<NodeId>;

enum class NodeKind : std::uint8_t { kGroup = 0, kArray = 1 };

/// One node whose path changed in a commit.
struct Move {
  std::string from = {};  // in the parent snapshot
  std::string to = {};    // in this one
  NodeId node = {};
  NodeKind kind = NodeKind::kGroup;
  friend bool operator==(const Move&, const Move&) = default;
};

/// What one commit changed, by node id.
struct TransactionLog {
  SnapshotId id = {};
  NodeIds new_groups = {};
  NodeIds new_arrays = {};
  NodeIds deleted_groups = {};
  NodeIds deleted_arrays = {};
  NodeIds updated_groups = {};  // zarr.json replaced by other bytes
  NodeIds updated_arrays = {};
  std::map<NodeId, ChunkIndexSet> updated_chunks =
      {};                        // set, overwritten or deleted; never empty sets
  std::vector<Move> moves = {};  // ascending by `to`, segment by segment
  friend bool operator==(const TransactionLog&, const TransactionLog&) = default;

  bool empty() const;

  /// Positions in updated_chunks of all arrays together.
  std::uint64_t updated_chunk_count() const;
};

/// True when the sorted list holds the id.
bool holds(const NodeIds& ids, const NodeId& id);

/// Sorts and drops repetitions.
void put_in_order(NodeIds& ids);

/// Sorts moves by `to` in segment order.
void put_in_order(std::vector<Move>& moves);

/// The log of an amended commit: the plain union of what both did, under `later`'s id; moves
/// compose by node, and those that end where they began are dropped.
TransactionLog merge(const TransactionLog& earlier, const TransactionLog& later);

}  // namespace icefield::icechunk
