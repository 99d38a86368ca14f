#include "icechunk/commit/internal/assemble.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace icefield::icechunk {
namespace {

Node node_of(const NodeState& state, const Flush& flush) {
  Node node{.id = state.id,
            .path = std::string(state.path),
            .user_data = *state.user_data,
            .array = std::nullopt};
  if (state.is_array()) {
    node.array = ArrayData{.shape = *state.shape,
                           .dimension_names = state.geometry->dimension_names,
                           .manifests = flush.manifests_of(state)};
  }
  return node;
}

core::Result<ChunkIndexSet> positions(const SessionState& state, const NodeState& array,
                                      const ArrayChanges& changes) {
  const auto sorted = changes.sorted(state.locations());
  ChunkIndexSet set(changes.rank());
  set.reserve(sorted->size());
  for (std::size_t at = 0; at < sorted->size(); ++at) {
    const ChunkIndexView index = sorted->index(at);
    if (inside_grid(index, *array.shape)) set.append(index);
  }
  return set;
}

void add_moves(const SessionState& state, TransactionLog& log) {
  for (const NodeState& node : state.nodes("/")) {
    if (node.base == nullptr || node.base->path == node.path) continue;
    log.moves.push_back({.from = node.base->path,
                         .to = std::string(node.path),
                         .node = node.id,
                         .kind = node.is_array() ? NodeKind::kArray : NodeKind::kGroup});
  }
  put_in_order(log.moves);
}

}  // namespace

core::Result<Snapshot> assemble_tree(const SessionState& state, const Flush& flush) {
  Snapshot tree;
  const auto nodes = state.nodes("/");
  tree.nodes.reserve(nodes.size());
  for (const NodeState& node : nodes) tree.nodes.push_back(node_of(node, flush));
  tree.manifest_files = state.base().manifest_files;
  tree.manifest_files.insert(tree.manifest_files.end(), flush.files().begin(), flush.files().end());
  TRY(put_in_order(tree));
  return tree;
}

core::Result<TransactionLog> assemble_log(const SessionState& state, const SnapshotId& id) {
  const ChangeSet& changes = state.changes();
  TransactionLog log{.id = id};
  for (const auto& [path, node] : changes.created) {
    (node.is_array() ? log.new_arrays : log.new_groups).push_back(node.id);
  }
  for (const auto& [path, node] : changes.deleted) {
    (node.is_array ? log.deleted_arrays : log.deleted_groups).push_back(node.id);
  }
  for (const auto& [node, edit] : changes.updated) {
    (edit.array ? log.updated_arrays : log.updated_groups).push_back(node);
  }
  for (const NodeState& node : state.nodes("/")) {
    const ArrayChanges* list = node.is_array() ? changes.chunks_of(node.id) : nullptr;
    if (list == nullptr) continue;
    TRY_ASSIGN(auto set, positions(state, node, *list));
    if (!set.empty()) log.updated_chunks.emplace(node.id, std::move(set));
  }
  for (NodeIds* list : {&log.new_arrays, &log.new_groups, &log.deleted_arrays, &log.deleted_groups,
                        &log.updated_arrays, &log.updated_groups}) {
    put_in_order(*list);
  }
  if (!changes.moves.empty()) add_moves(state, log);
  return log;
}

}  // namespace icefield::icechunk
