#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "icechunk/format/ids.h"
#include "icechunk/format/shared_bytes.h"
#include "icechunk/format/snapshot.h"
#include "icechunk/session/array_changes.h"

namespace icefield::icechunk {

/// A node of the base snapshot that the session deleted.
struct DeletedNode {
  NodeId id;
  bool is_array = false;
};

/// New zarr.json of a node of the base snapshot.
struct MetadataEdit {
  SharedBytes user_data;
  std::optional<ArrayData> array;  // shape and dimension names it implies; no manifests
};

struct MoveStep {
  std::string from;
  std::string to;
};

/// What a session changed since its base snapshot, in terms of node ids, so that it can be seen
/// on top of another snapshot. A session holds moves or the rest, never both.
struct ChangeSet {
  std::map<std::string, Node, std::less<>> created;         // by path; arrays without manifests
  std::unordered_map<NodeId, MetadataEdit> updated;         // nodes of the base
  std::map<std::string, DeletedNode, std::less<>> deleted;  // by path in the base, descendants too
  std::unordered_map<NodeId, ArrayChanges> chunks;          // of created and of base arrays
  std::vector<MoveStep> moves;                              // in the order they were made
  std::int64_t last_maker = 0;                              // the process that made last_made
  NodeId last_made = {};                                    // by new_node_id

  /// True when a commit would hold nothing.
  bool empty() const;

  /// The id of a node that is created now. The first is random, the others follow it: unique as if
  /// each was random (docs/decisions/0014-node-ids.md), and small in every file that lists them.
  NodeId new_node_id();

  /// Chunk changes of one array, or nullptr.
  const ArrayChanges* chunks_of(const NodeId& node) const;
};

}  // namespace icefield::icechunk
