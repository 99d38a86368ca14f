#include "icechunk/maintenance/diff.h"

#include <algorithm>
#include <memory>
#include <unordered_map>

#include "icechunk/assets/asset_store.h"
#include "icechunk/commit/history.h"

namespace icefield::icechunk {
namespace {

using Paths = std::unordered_map<NodeId, std::string>;

Paths paths_of(const Snapshot& snapshot) {
  Paths paths;
  for (const Node& node : snapshot.nodes) paths.emplace(node.id, node.path);
  return paths;
}

/// The path of a node now, else before; nothing when neither side holds it.
const std::string* find(const NodeId& id, const Paths& before, const Paths& after) {
  if (const auto found = after.find(id); found != after.end()) return &found->second;
  const auto found = before.find(id);
  return found == before.end() ? nullptr : &found->second;
}

std::vector<std::string> named(const NodeIds& ids, const Paths& before, const Paths& after) {
  std::vector<std::string> paths;
  for (const NodeId& id : ids) {
    if (const std::string* path = find(id, before, after)) paths.push_back(*path);
  }
  std::ranges::sort(paths);
  return paths;
}

NodeIds join(const NodeIds& left, const NodeIds& right) {
  NodeIds all = left;
  all.insert(all.end(), right.begin(), right.end());
  put_in_order(all);
  return all;
}

}  // namespace

core::Result<Diff> diff(const Repository& repository, const SnapshotId& from,
                        const SnapshotId& to) {
  AssetStore& assets = *repository.assets();
  TRY_ASSIGN(const auto repo, repository.info());
  TRY_ASSIGN(const auto ids, logs_between(*repo, from, to));
  TRY_ASSIGN(const auto old_tree, assets.snapshot(from));
  TRY_ASSIGN(const auto new_tree, assets.snapshot(to));
  const Paths before = paths_of(*old_tree);
  const Paths after = paths_of(*new_tree);
  TransactionLog all;
  for (const SnapshotId& id : ids) {
    TRY_ASSIGN(const auto log, assets.transaction_log(id));
    all = merge(all, *log);
  }
  const auto only_in = [](const NodeIds& candidates, const Paths& here, const Paths& not_here) {
    NodeIds chosen;
    std::ranges::copy_if(candidates, std::back_inserter(chosen), [&](const NodeId& id) {
      return here.contains(id) && !not_here.contains(id);
    });
    return chosen;
  };
  Diff result;
  result.created =
      named(only_in(join(all.new_arrays, all.new_groups), after, before), before, after);
  result.deleted =
      named(only_in(join(all.deleted_arrays, all.deleted_groups), before, after), before, after);
  result.updated = named(join(all.updated_arrays, all.updated_groups), before, after);
  for (auto& [id, chunks] : all.updated_chunks) {
    const std::string* path = find(id, before, after);
    if (path != nullptr) result.chunks.emplace(*path, std::move(chunks));
  }
  for (const Move& move : all.moves) result.moved.emplace_back(move.from, move.to);
  return result;
}

}  // namespace icefield::icechunk
