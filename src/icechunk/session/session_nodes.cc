#include <algorithm>
#include <utility>

#include "core/text.h"
#include "icechunk/format/path.h"
#include "icechunk/session/node_document.h"
#include "icechunk/session/session.h"
#include "icechunk/session/session_rules.h"
#include "icechunk/session/session_state.h"

namespace icefield::icechunk {
namespace {

core::Error invalid(std::string what) {
  return core::Error(core::ErrorCode::kInvalidArgument, std::move(what));
}

/// Errors: kInvalidArgument when some node above `path` is an array.
core::Status check_no_array_above(const SessionState& state, std::string_view path) {
  for (std::string_view at = path; at != "/";) {
    at = parent_path(at);
    const auto above = state.find(at);
    if (above && above->is_array()) {
      return invalid(core::text(path, " would lie below the array ", at));
    }
  }
  return {};
}

core::Result<bool> create_node(SessionState& state, std::string_view path, SharedBytes user_data,
                               NodeDocument document) {
  TRY(check_no_array_above(state, path));
  if (document.array && !state.nodes(path).empty()) {
    return invalid(core::text("an array at ", path, " would have nodes below it"));
  }
  state.changes().created.emplace(std::string(path), Node{.id = state.changes().new_node_id(),
                                                          .path = std::string(path),
                                                          .user_data = std::move(user_data),
                                                          .array = std::move(document.array)});
  return true;
}

/// Replaces the document of a node that is there; false when its bytes are the same.
core::Result<bool> update_node(SessionState& state, const NodeState& node, SharedBytes user_data,
                               NodeDocument document) {
  if (node.is_array() != document.array.has_value()) {
    return invalid(core::text(node.path, " is ", node.is_array() ? "an array" : "a group",
                              ": delete it first"));
  }
  if (document.array && document.array->shape.size() != node.shape->size()) {
    return invalid(core::text(node.path, ": the rank of an array cannot change"));
  }
  if (*node.user_data == user_data) return false;
  if (node.base == nullptr) {
    Node& created = state.changes().created.find(node.path)->second;
    created.user_data = std::move(user_data);
    created.array = std::move(document.array);
    return true;
  }
  if (node.base->user_data == user_data) {
    state.changes().updated.erase(node.id);  // back to what the base holds
    return true;
  }
  state.changes().updated.insert_or_assign(
      node.id, MetadataEdit{.user_data = std::move(user_data), .array = std::move(document.array)});
  return true;
}

}  // namespace

core::Result<bool> Session::set_metadata(std::string_view path,
                                         std::span<const std::byte> zarr_json) {
  TRY(check_can_edit(*state_));
  TRY(check_path(path));
  auto document = parse_node_document(zarr_json);
  if (!document) return std::move(document).error().within(path);
  SharedBytes bytes(core::Bytes(zarr_json.begin(), zarr_json.end()));
  if (const auto node = state_->find(path)) {
    return update_node(*state_, *node, std::move(bytes), *std::move(document));
  }
  return create_node(*state_, path, std::move(bytes), *std::move(document));
}

core::Status Session::delete_node(std::string_view path) {
  TRY(check_can_edit(*state_));
  if (!state_->find(path)) {
    return core::Error(core::ErrorCode::kNotFound, "no node at " + std::string(path));
  }
  ChangeSet& changes = state_->changes();
  for (const NodeState& node : state_->nodes(path)) {
    changes.chunks.erase(node.id);
    changes.updated.erase(node.id);
    if (node.base != nullptr) {
      changes.deleted.emplace(node.base->path,
                              DeletedNode{.id = node.id, .is_array = node.is_array()});
    } else {
      changes.created.erase(changes.created.find(node.path));
    }
  }
  return {};
}

core::Status Session::move_node(std::string_view from, std::string_view to) {
  TRY(check_can_move(*state_));
  TRY(check_path(to));
  if (from == "/" || to == "/") return invalid("the root cannot move");
  if (!state_->find(from)) {
    return core::Error(core::ErrorCode::kNotFound, "no node at " + std::string(from));
  }
  if (to == from || is_below(to, from)) {
    return invalid(core::text(to, " lies inside ", from));
  }
  if (!state_->nodes(to).empty()) return invalid(core::text("there is a node at ", to));
  const auto parent = state_->find(parent_path(to));
  if (!parent) {
    return core::Error(core::ErrorCode::kNotFound,
                       core::text("there is no group at ", parent_path(to)));
  }
  if (parent->is_array()) return invalid(core::text(parent_path(to), " is an array"));
  state_->record_move(from, to);
  return {};
}

}  // namespace icefield::icechunk
