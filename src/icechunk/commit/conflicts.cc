#include "icechunk/commit/conflicts.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/text.h"
#include "icechunk/format/path.h"

namespace icefield::icechunk {
namespace {

using Conflicts = std::vector<Conflict>;

void add(Conflicts& found, ConflictKind kind, std::string_view path) {
  found.push_back({.kind = kind, .path = std::string(path), .chunks = {}});
}

/// The path of a node as our session knows it, or its id.
std::string path_of(const SessionState& ours, const NodeId& id) {
  for (const NodeState& node : ours.nodes("/")) {
    if (node.id == id) return std::string(node.path);
  }
  return "node " + id.text();
}

bool deleted(const TransactionLog& log, const NodeId& id) {
  return holds(log.deleted_arrays, id) || holds(log.deleted_groups, id);
}

bool created(const TransactionLog& log, const NodeId& id) {
  return holds(log.new_arrays, id) || holds(log.new_groups, id);
}

Conflicts moves_of_theirs(const RebaseStep& step) {
  Conflicts found;
  for (const Move& move : step.theirs.moves) {
    add(found, ConflictKind::kMoveCannotBeRebased, move.from);
  }
  return found;
}

Conflicts new_node_conflicts(const RebaseStep& step) {
  Conflicts found;
  for (const auto& [path, node] : step.ours.changes().created) {
    const NodeSpan below = nodes_below(step.tip, path);
    const bool covers_others = node.is_array() && below.begin != below.end;
    if ((step.tip.find(path) != nullptr || covers_others) &&
        !step.ours.changes().deleted.contains(path)) {
      add(found, ConflictKind::kNewNodeConflictsWithExisting, path);
    }
  }
  return found;
}

Conflicts new_node_in_array(const RebaseStep& step) {
  Conflicts found;
  for (const auto& [path, node] : step.ours.changes().created) {
    for (std::string_view above = path; above != "/";) {
      above = parent_path(above);
      const Node* there = step.tip.find(above);
      if (there != nullptr && there->is_array() && !step.ours.changes().deleted.contains(above)) {
        add(found, ConflictKind::kNewNodeInArray, path);
      }
    }
  }
  return found;
}

/// Our metadata updates of nodes that a list of theirs names.
Conflicts updates_in(const RebaseStep& step, const NodeIds& theirs, ConflictKind kind) {
  Conflicts found;
  for (const auto& [id, edit] : step.ours.changes().updated) {
    if (holds(theirs, id)) add(found, kind, path_of(step.ours, id));
  }
  return found;
}

Conflicts metadata_double_update(const RebaseStep& step) {
  Conflicts found =
      updates_in(step, step.theirs.updated_arrays, ConflictKind::kMetadataDoubleUpdate);
  std::ranges::move(
      updates_in(step, step.theirs.updated_groups, ConflictKind::kMetadataDoubleUpdate),
      std::back_inserter(found));
  return found;
}

Conflicts update_of_deleted_array(const RebaseStep& step) {
  return updates_in(step, step.theirs.deleted_arrays, ConflictKind::kUpdateOfDeletedArray);
}

Conflicts update_of_deleted_group(const RebaseStep& step) {
  return updates_in(step, step.theirs.deleted_groups, ConflictKind::kUpdateOfDeletedGroup);
}

Conflicts chunks_in(const RebaseStep& step, const NodeIds& theirs, ConflictKind kind) {
  Conflicts found;
  for (const auto& [id, changes] : step.ours.changes().chunks) {
    if (changes.size() > 0 && holds(theirs, id)) add(found, kind, path_of(step.ours, id));
  }
  return found;
}

Conflicts chunks_of_deleted_array(const RebaseStep& step) {
  return chunks_in(step, step.theirs.deleted_arrays, ConflictKind::kChunksOfDeletedArray);
}

Conflicts chunks_of_updated_array(const RebaseStep& step) {
  return chunks_in(step, step.theirs.updated_arrays, ConflictKind::kChunksOfUpdatedArray);
}

Conflicts chunk_double_update(const RebaseStep& step) {
  Conflicts found;
  for (const auto& [id, theirs] : step.theirs.updated_chunks) {
    const ArrayChanges* ours = step.ours.changes().chunks_of(id);
    if (ours == nullptr || ours->rank() != theirs.rank()) continue;
    ChunkIndexSet both(theirs.rank());
    for (std::size_t i = 0; i < theirs.size(); ++i) {
      if (ours->find(theirs[i], step.ours.locations())) both.append(theirs[i]);
    }
    if (both.empty()) continue;
    found.push_back({.kind = ConflictKind::kChunkDoubleUpdate,
                     .path = path_of(step.ours, id),
                     .chunks = std::move(both)});
  }
  return found;
}

Conflicts delete_of_updated_array(const RebaseStep& step) {
  Conflicts found;
  for (const auto& [path, node] : step.ours.changes().deleted) {
    if (node.is_array && (holds(step.theirs.updated_arrays, node.id) ||
                          step.theirs.updated_chunks.contains(node.id))) {
      add(found, ConflictKind::kDeleteOfUpdatedArray, path);
    }
  }
  return found;
}

Conflicts delete_of_updated_group(const RebaseStep& step) {
  Conflicts found;
  for (const auto& [path, node] : step.ours.changes().deleted) {
    if (!node.is_array && holds(step.theirs.updated_groups, node.id)) {
      add(found, ConflictKind::kDeleteOfUpdatedGroup, path);
    }
  }
  return found;
}

Conflicts new_node_without_parent(const RebaseStep& step) {
  Conflicts found;
  for (const auto& [path, node] : step.ours.changes().created) {
    if (path == "/") continue;
    const Node* parent = step.ours.base().find(parent_path(path));
    if (parent != nullptr && deleted(step.theirs, parent->id) &&
        !step.ours.changes().created.contains(parent_path(path))) {
      add(found, ConflictKind::kNewNodeWithoutParent, path);
    }
  }
  return found;
}

Conflicts delete_of_grown_group(const RebaseStep& step) {
  Conflicts found;
  for (const auto& [path, node] : step.ours.changes().deleted) {
    if (node.is_array) continue;
    const NodeSpan span = nodes_below(step.tip, path);
    for (std::size_t i = span.begin; i < span.end; ++i) {
      const Node& below = step.tip.nodes[i];
      if (is_below(below.path, path) && created(step.theirs, below.id)) {
        add(found, ConflictKind::kDeleteOfGrownGroup, path);
        break;
      }
    }
  }
  return found;
}

Conflicts delete_of_recreated_node(const RebaseStep& step) {
  Conflicts found;
  for (const auto& [path, node] : step.ours.changes().deleted) {
    const Node* there = step.tip.find(path);
    if (there != nullptr && there->id != node.id && created(step.theirs, there->id)) {
      add(found, ConflictKind::kDeleteOfRecreatedNode, path);
    }
  }
  return found;
}

/// Paths that our moves take from or put to, against the tree as it is now.
Conflicts move_of_changed_tree(const RebaseStep& step) {
  Conflicts found;
  for (const MoveStep& move : step.ours.changes().moves) {
    for (const Node& node : step.tip.nodes) {
      const bool concerned = node.path == move.from || is_below(node.path, move.from) ||
                             node.path == move.to || is_below(node.path, move.to);
      if (concerned && created(step.theirs, node.id)) {
        add(found, ConflictKind::kMoveOfChangedTree, node.path);
      }
    }
    for (const Node& node : step.ours.base().nodes) {
      const bool concerned = node.path == move.from || is_below(node.path, move.from) ||
                             node.path == parent_path(move.to);
      if (concerned && deleted(step.theirs, node.id)) {
        add(found, ConflictKind::kMoveOfChangedTree, node.path);
      }
    }
  }
  return found;
}

struct Rule {
  ConflictKind kind;
  std::string_view name;
  Conflicts (*find)(const RebaseStep&);
};

// The whole list. A new rule is one function, one row, and a test of both orders.
// clang-format off
constexpr std::array kRules = {
    Rule{ConflictKind::kMoveCannotBeRebased,          "MoveOperationCannotBeRebased",     moves_of_theirs},
    Rule{ConflictKind::kNewNodeConflictsWithExisting, "NewNodeConflictsWithExistingNode", new_node_conflicts},
    Rule{ConflictKind::kNewNodeInArray,               "NewNodeInInvalidGroup",            new_node_in_array},
    Rule{ConflictKind::kMetadataDoubleUpdate,         "ZarrMetadataDoubleUpdate",         metadata_double_update},
    Rule{ConflictKind::kUpdateOfDeletedArray,         "ZarrMetadataUpdateOfDeletedArray", update_of_deleted_array},
    Rule{ConflictKind::kUpdateOfDeletedGroup,         "ZarrMetadataUpdateOfDeletedGroup", update_of_deleted_group},
    Rule{ConflictKind::kChunksOfDeletedArray,         "ChunksUpdatedInDeletedArray",      chunks_of_deleted_array},
    Rule{ConflictKind::kChunksOfUpdatedArray,         "ChunksUpdatedInUpdatedArray",      chunks_of_updated_array},
    Rule{ConflictKind::kChunkDoubleUpdate,            "ChunkDoubleUpdate",                chunk_double_update},
    Rule{ConflictKind::kDeleteOfUpdatedArray,         "DeleteOfUpdatedArray",             delete_of_updated_array},
    Rule{ConflictKind::kDeleteOfUpdatedGroup,         "DeleteOfUpdatedGroup",             delete_of_updated_group},
    Rule{ConflictKind::kNewNodeWithoutParent,         "NewNodeWithoutParent",             new_node_without_parent},
    Rule{ConflictKind::kDeleteOfGrownGroup,           "DeleteOfGrownGroup",               delete_of_grown_group},
    Rule{ConflictKind::kDeleteOfRecreatedNode,        "DeleteOfRecreatedNode",            delete_of_recreated_node},
    Rule{ConflictKind::kMoveOfChangedTree,            "MoveOfChangedTree",                move_of_changed_tree},
};
// clang-format on

std::string chunks_text(const ChunkIndexSet& chunks) {
  constexpr std::size_t kShown = 5;
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < std::min(chunks.size(), kShown); ++i) {
    std::vector<std::string> numbers;
    for (const std::uint32_t number : chunks[i]) numbers.push_back(std::to_string(number));
    parts.push_back("[" + core::join(numbers, ", ") + "]");
  }
  std::string text = core::join(parts, ", ");
  if (chunks.size() > kShown) text += core::text(" and ", chunks.size() - kShown, " more");
  return text;
}

}  // namespace

std::string_view conflict_name(ConflictKind kind) {
  return std::ranges::find(kRules, kind, &Rule::kind)->name;
}

std::vector<Conflict> find_conflicts(const RebaseStep& step) {
  std::vector<Conflict> all;
  for (const Rule& rule : kRules) {
    std::ranges::move(rule.find(step), std::back_inserter(all));
    // over a move nothing else can be told
    if (rule.kind == ConflictKind::kMoveCannotBeRebased && !all.empty()) break;
  }
  return all;
}

bool solvable(const Conflict& conflict, const ConflictPolicy& policy) {
  switch (conflict.kind) {
    case ConflictKind::kChunkDoubleUpdate:
      return policy.chunk_double_update != Preference::kFail;
    case ConflictKind::kDeleteOfUpdatedArray:
      return policy.delete_updated_arrays;
    case ConflictKind::kDeleteOfUpdatedGroup:
      return policy.delete_updated_groups;
    case ConflictKind::kMoveCannotBeRebased:
    case ConflictKind::kNewNodeConflictsWithExisting:
    case ConflictKind::kNewNodeInArray:
    case ConflictKind::kMetadataDoubleUpdate:
    case ConflictKind::kUpdateOfDeletedArray:
    case ConflictKind::kUpdateOfDeletedGroup:
    case ConflictKind::kChunksOfDeletedArray:
    case ConflictKind::kChunksOfUpdatedArray:
    case ConflictKind::kNewNodeWithoutParent:
    case ConflictKind::kDeleteOfGrownGroup:
    case ConflictKind::kDeleteOfRecreatedNode:
    case ConflictKind::kMoveOfChangedTree:
      return false;
  }
  return false;
}

std::string describe(const std::vector<Conflict>& conflicts) {
  constexpr std::size_t kShown = 10;
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < std::min(conflicts.size(), kShown); ++i) {
    std::string part = core::text(conflict_name(conflicts[i].kind), " at ", conflicts[i].path);
    if (!conflicts[i].chunks.empty()) part += " (chunks " + chunks_text(conflicts[i].chunks) + ")";
    parts.push_back(std::move(part));
  }
  std::string text = core::join(parts, "; ");
  if (conflicts.size() > kShown) text += core::text("; and ", conflicts.size() - kShown, " more");
  return text;
}

}  // namespace icefield::icechunk
