#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/result.h"
#include "icechunk/assets/asset_store.h"
#include "icechunk/format/config.h"
#include "icechunk/format/snapshot.h"
#include "icechunk/session/box_index.h"
#include "icechunk/session/change_set.h"
#include "icechunk/session/container_access.h"
#include "icechunk/session/location_table.h"

namespace icefield::icechunk {

/// What all sessions of one opened repository have in common.
struct SessionContext {
  std::shared_ptr<AssetStore> assets;
  RepositoryConfig config;                   // persisted, with what was given at opening
  std::vector<VirtualContainer> containers;  // in use, after re-pointing
  ContainerAccess access;
  std::size_t workers = 1;
};

/// A node as the session sees it. Pointers are into the state: valid until its next change.
struct NodeState {
  NodeId id;
  std::string_view path;
  const SharedBytes* user_data = nullptr;
  const std::vector<DimensionShape>* shape = nullptr;  // arrays only
  const ArrayData* geometry = nullptr;                 // arrays only: shape and dimension names
  const Node* base = nullptr;                          // in the base snapshot; null: created

  bool is_array() const noexcept { return shape != nullptr; }
};

/// The parts of a session, for the functions that read and change it (session.h, commit/).
/// const calls from any threads, others alone.
class SessionState {
 public:
  SessionState(std::shared_ptr<const SessionContext> context, std::shared_ptr<const Snapshot> base,
               std::optional<std::string> branch);

  const SessionContext& context() const noexcept { return *context_; }
  const Snapshot& base() const noexcept { return *base_; }
  const std::shared_ptr<const Snapshot>& shared_base() const noexcept { return base_; }
  const std::optional<std::string>& branch() const noexcept { return branch_; }
  const ChangeSet& changes() const noexcept { return changes_; }
  ChangeSet& changes() noexcept { return changes_; }
  const LocationTable& locations() const noexcept { return locations_; }
  LocationTable& locations() noexcept { return locations_; }

  /// The node at a path in the session's view.
  std::optional<NodeState> find(std::string_view path) const;

  /// Errors: kNotFound, naming the path, when there is no array.
  core::Result<NodeState> find_array(std::string_view path) const;

  /// `path` and everything below it, ascending by path bytes.
  std::vector<NodeState> nodes(std::string_view path) const;

  /// Which manifest of a base array answers for a position; made once per array.
  std::shared_ptr<const BoxIndex> box_index(const Node& array) const;

  /// Sees the changes on top of another snapshot. The caller has made sure that they fit.
  void move_base(std::shared_ptr<const Snapshot> base);

  /// After a commit: nothing is changed any more, nor can be.
  void finish(std::shared_ptr<const Snapshot> committed);

  /// Records a move in the view. Precondition: Session::move_node has checked it.
  void record_move(std::string_view from, std::string_view to);

 private:
  NodeState state_of(const Node& base, std::string_view path) const;
  static NodeState state_of_created(const Node& created);
  void replay_moves();

  std::shared_ptr<const SessionContext> context_;
  std::shared_ptr<const Snapshot> base_;
  std::optional<std::string> branch_;
  ChangeSet changes_;
  LocationTable locations_;
  std::map<std::string, const Node*, std::less<>> moved_;  // the whole tree, once there are moves
  mutable std::mutex mutex_;                               // guards box_indexes_
  mutable std::unordered_map<NodeId, std::shared_ptr<const BoxIndex>> box_indexes_;
};

/// True when every number is below the number of chunks of its dimension, and the ranks agree.
bool inside_grid(ChunkIndexView index, const std::vector<DimensionShape>& shape);

}  // namespace icefield::icechunk
