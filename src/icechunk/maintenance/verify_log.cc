#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/text.h"
#include "icechunk/assets/keys.h"
#include "icechunk/format/path.h"
#include "icechunk/maintenance/internal/findings.h"
#include "icechunk/session/session_state.h"

namespace icefield::icechunk {
namespace {

using Logs = std::vector<std::shared_ptr<const TransactionLog>>;

/// Whether a log (or that of a cut-out ancestor) mentions what a snapshot changed.
class LogInspection {
 public:
  LogInspection(Inspection& all, const Snapshot& before, const Snapshot& after, Logs logs)
      : all_(all),
        before_(before),
        after_(after),
        logs_(std::move(logs)),
        object_(transaction_log_key(after.id).value()) {}

  core::Status run() {
    std::map<NodeId, const Node*> old_nodes;
    for (const Node& node : before_.nodes) old_nodes.emplace(node.id, &node);
    for (const Node& node : after_.nodes) {
      const auto old_node = old_nodes.find(node.id);
      if (old_node == old_nodes.end()) {
        expect(node.array ? &TransactionLog::new_arrays : &TransactionLog::new_groups, node.id,
               "new node " + node.path);
        TRY(compare_chunks(nullptr, node));
        continue;
      }
      compare(*old_node->second, node);
      TRY(compare_chunks(old_node->second, node));
      old_nodes.erase(old_node);
    }
    for (const auto& [id, node] : old_nodes) {
      expect(node->array ? &TransactionLog::deleted_arrays : &TransactionLog::deleted_groups, id,
             "deletion of " + node->path);
    }
    return {};
  }

 private:
  void expect(NodeIds TransactionLog::*list, const NodeId& id, const std::string& what) {
    const bool logged =
        std::ranges::any_of(logs_, [&](const auto& log) { return holds((*log).*list, id); });
    if (!logged) all_.damage(object_, what + " is not logged");
  }

  void compare(const Node& old_node, const Node& node) {
    if (!(old_node.user_data == node.user_data)) {
      expect(node.array ? &TransactionLog::updated_arrays : &TransactionLog::updated_groups,
             node.id, "new metadata of " + node.path);
    }
    if (old_node.path == node.path) return;
    const auto logged = std::ranges::find_if(logs_, [&node](const auto& log) {
      return std::ranges::find(log->moves, node.id, &Move::node) != log->moves.end();
    });
    if (logged == logs_.end()) {
      all_.damage(object_, "move of " + old_node.path + " is not logged");
    } else if (logs_.size() == 1) {  // of several, each tells a part of the way
      const Move& move = *std::ranges::find((*logged)->moves, node.id, &Move::node);
      const auto kind = node.array ? NodeKind::kArray : NodeKind::kGroup;
      if (move.from == old_node.path && move.to == node.path && move.kind == kind) return;
      all_.damage(object_, core::text("move of ", old_node.path, " is logged as ", move.from,
                                      " to ", move.to));
    }
  }

  using References = std::map<ChunkIndex, ChunkReference>;

  /// True when no reference of the box lies outside the grid: none appears when the array grows.
  static bool inside(const ChunkBox& box, const Node& node) {
    const auto& shape = node.array->shape;
    for (std::size_t d = 0; d < box.rank() && d < shape.size(); ++d) {
      if (box[d].to > shape[d].num_chunks) return false;
    }
    return true;
  }

  /// True when a manifest that both sides list with this box shows the same references on both.
  static bool looks_alike(const ChunkBox& box, const Node& left, const Node& right) {
    return left.array->shape == right.array->shape || (inside(box, left) && inside(box, right));
  }

  /// References, as readers see them, of manifests that the other side does not list in the same
  /// way.
  core::Result<References> own_references(const Node* node, const Node* other) {
    References found;
    if (node == nullptr || !node->array) return found;
    for (const ManifestRef& ref : node->array->manifests) {
      const bool shared =
          other != nullptr && other->array &&
          std::ranges::find(other->array->manifests, ref) != other->array->manifests.end();
      if (shared && looks_alike(ref.extents, *node, *other)) continue;
      TRY_ASSIGN(const auto manifest, all_.manifest(ref.id));
      if (manifest == nullptr) continue;  // told before
      const auto array = manifest->find_array(node->id);
      for (std::size_t at = 0; array && at < array->size(); ++at) {
        const ChunkIndexView index = array->index(at);
        if (!ref.extents.contains(index) || !inside_grid(index, node->array->shape)) continue;
        auto reference = array->reference(at);
        if (!reference) continue;  // told before
        found.emplace(ChunkIndex(index.begin(), index.end()), *std::move(reference));
      }
    }
    return found;
  }

  core::Status compare_chunks(const Node* old_node, const Node& node) {
    if (!node.array) return {};
    TRY_ASSIGN(auto before, own_references(old_node, &node));
    TRY_ASSIGN(const auto after, own_references(&node, old_node));
    std::vector<ChunkIndex> changed;
    for (const auto& [index, reference] : after) {
      const auto same = before.find(index);
      if (same == before.end() || !(same->second == reference)) changed.push_back(index);
      if (same != before.end()) before.erase(same);
    }
    for (const auto& [index, reference] : before) changed.push_back(index);
    for (const ChunkIndex& index : changed) {
      if (!inside_grid(index, node.array->shape)) continue;  // a smaller shape need not log it
      const bool logged = std::ranges::any_of(logs_, [&](const auto& log) {
        const auto chunks = log->updated_chunks.find(node.id);
        return chunks != log->updated_chunks.end() && chunks->second.contains(index);
      });
      if (logged) continue;
      all_.damage(object_, "a changed chunk of " + node.path + " is not logged");
      return {};
    }
    return {};
  }

  Inspection& all_;
  const Snapshot& before_;
  const Snapshot& after_;
  Logs logs_;
  std::string object_;
};

}  // namespace

void inspect_moves(Inspection& inspection, const TransactionLog& log) {
  const std::string object = transaction_log_key(log.id).value();
  for (const Move& move : log.moves) {
    for (const std::string& path : {move.from, move.to}) {
      if (const auto sound = check_path(path); !sound) {
        inspection.damage(object, sound.error().message());
      }
    }
    if (move.from == move.to) inspection.damage(object, move.from + " moves onto itself");
  }
}

core::Status inspect_log(Inspection& inspection, const SnapshotInfo& info) {
  const auto key = transaction_log_key(info.id);
  const bool may_lack = info.id == kInitialSnapshotId &&
                        (inspection.migrated || inspection.state.legacy);  // version 1 has none
  if (may_lack && !inspection.exists(key)) return {};
  Logs logs;
  TRY_ASSIGN(auto own, inspection.log(info.id));
  if (own == nullptr) return {};
  logs.push_back(std::move(own));
  for (const SnapshotId& id : info.pruned_ancestor_tx_logs) {
    if (!inspection.exists(transaction_log_key(id)))
      return {};  // told before: not the whole change
    TRY_ASSIGN(auto log, inspection.log(id));
    if (log == nullptr) return {};
    logs.push_back(std::move(log));
  }
  if (!info.parent) return {};
  auto before = inspection.assets.snapshot(*info.parent);
  auto after = inspection.assets.snapshot(info.id);
  if (!before || !after) return {};  // told before
  return LogInspection(inspection, **before, **after, std::move(logs)).run();
}

}  // namespace icefield::icechunk
