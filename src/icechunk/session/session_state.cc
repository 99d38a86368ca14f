#include "icechunk/session/session_state.h"

#include <algorithm>
#include <utility>

#include "icechunk/format/path.h"

namespace icefield::icechunk {

bool inside_grid(ChunkIndexView index, const std::vector<DimensionShape>& shape) {
  if (index.size() != shape.size()) return false;
  for (std::size_t d = 0; d < index.size(); ++d) {
    if (index[d] >= shape[d].num_chunks) return false;
  }
  return true;
}

SessionState::SessionState(std::shared_ptr<const SessionContext> context,
                           std::shared_ptr<const Snapshot> base, std::optional<std::string> branch)
    : context_(std::move(context)), base_(std::move(base)), branch_(std::move(branch)) {}

NodeState SessionState::state_of_created(const Node& created) {
  return {.id = created.id,
          .path = created.path,
          .user_data = &created.user_data,
          .shape = created.array ? &created.array->shape : nullptr,
          .geometry = created.array ? &*created.array : nullptr,
          .base = nullptr};
}

NodeState SessionState::state_of(const Node& base, std::string_view path) const {
  NodeState state{.id = base.id,
                  .path = path,
                  .user_data = &base.user_data,
                  .shape = base.array ? &base.array->shape : nullptr,
                  .geometry = base.array ? &*base.array : nullptr,
                  .base = &base};
  const auto updated = changes_.updated.find(base.id);
  if (updated == changes_.updated.end()) return state;
  state.user_data = &updated->second.user_data;
  if (updated->second.array) {
    state.geometry = &*updated->second.array;
    state.shape = &state.geometry->shape;
  }
  return state;
}

std::optional<NodeState> SessionState::find(std::string_view path) const {
  if (!changes_.moves.empty()) {
    const auto found = moved_.find(path);
    if (found == moved_.end()) return std::nullopt;
    return state_of(*found->second, found->first);
  }
  if (const auto created = changes_.created.find(path); created != changes_.created.end()) {
    return state_of_created(created->second);
  }
  const Node* base = base_->find(path);
  if (base == nullptr || changes_.deleted.contains(path)) return std::nullopt;
  return state_of(*base, base->path);
}

core::Result<NodeState> SessionState::find_array(std::string_view path) const {
  const auto found = find(path);
  if (!found || !found->is_array()) {
    return core::Error(core::ErrorCode::kNotFound, "no array at " + std::string(path));
  }
  return *found;
}

std::vector<NodeState> SessionState::nodes(std::string_view path) const {
  std::vector<NodeState> found;
  const auto wanted = [path](std::string_view at) { return at == path || is_below(at, path); };
  if (!changes_.moves.empty()) {
    for (const auto& [at, node] : moved_) {
      if (wanted(at)) found.push_back(state_of(*node, at));
    }
    return found;
  }
  const NodeSpan span = nodes_below(*base_, path);
  const auto add = [&](const Node& node) {
    if (!changes_.deleted.contains(node.path) && !changes_.created.contains(node.path)) {
      found.push_back(state_of(node, node.path));
    }
  };
  if (const Node* self = base_->find(path)) add(*self);
  for (std::size_t i = span.begin; i < span.end; ++i) {
    if (is_below(base_->nodes[i].path, path)) add(base_->nodes[i]);
  }
  const std::size_t from_base = found.size();
  for (const auto& [at, node] : changes_.created) {
    if (wanted(at)) found.push_back(state_of_created(node));
  }
  if (from_base != found.size()) std::ranges::sort(found, {}, &NodeState::path);
  return found;
}

std::shared_ptr<const BoxIndex> SessionState::box_index(const Node& array) const {
  const std::lock_guard lock(mutex_);
  auto& slot = box_indexes_[array.id];
  if (!slot) slot = std::make_shared<const BoxIndex>(array.array->manifests);
  return slot;
}

void SessionState::move_base(std::shared_ptr<const Snapshot> base) {
  base_ = std::move(base);
  box_indexes_.clear();
  replay_moves();
}

void SessionState::finish(std::shared_ptr<const Snapshot> committed) {
  base_ = std::move(committed);
  box_indexes_.clear();
  changes_ = {};
  locations_ = {};
  moved_.clear();
  branch_.reset();
}

void SessionState::record_move(std::string_view from, std::string_view to) {
  changes_.moves.push_back({.from = std::string(from), .to = std::string(to)});
  replay_moves();
}

void SessionState::replay_moves() {
  moved_.clear();
  if (changes_.moves.empty()) return;
  for (const Node& node : base_->nodes) moved_.emplace(node.path, &node);
  for (const MoveStep& step : changes_.moves) {
    std::map<std::string, const Node*, std::less<>> next;
    for (auto& [path, node] : moved_) {
      const bool taken = path == step.from || is_below(path, step.from);
      next.emplace(taken ? moved_path(path, step.from, step.to) : path, node);
    }
    moved_ = std::move(next);
  }
}

}  // namespace icefield::icechunk
