#include "icechunk/session/session.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/text.h"
#include "icechunk/format/path.h"
#include "icechunk/session/chunk_lookup.h"
#include "icechunk/session/chunk_reader.h"
#include "icechunk/session/chunk_walk.h"
#include "icechunk/session/session_state.h"

namespace icefield::icechunk {
namespace {

NodeView view_of_node(const NodeState& state) {
  NodeView view{.id = state.id,
                .path = std::string(state.path),
                .metadata = *state.user_data,
                .is_array = state.is_array(),
                .shape = {}};
  if (state.is_array()) view.shape = *state.shape;
  return view;
}

}  // namespace

Session::Session(std::unique_ptr<SessionState> state) : state_(std::move(state)) {}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

const SnapshotId& Session::base() const noexcept {
  return state_->base().id;
}
const std::optional<std::string>& Session::branch() const noexcept {
  return state_->branch();
}
const RepositoryConfig& Session::config() const noexcept {
  return state_->context().config;
}
bool Session::has_changes() const noexcept {
  return !state_->changes().empty();
}

core::Result<NodeView> Session::node(std::string_view path) const {
  const auto found = state_->find(path);
  if (!found) return core::Error(core::ErrorCode::kNotFound, "no node at " + std::string(path));
  return view_of_node(*found);
}

std::vector<NodeView> Session::nodes(std::string_view path) const {
  std::vector<NodeView> views;
  for (const NodeState& state : state_->nodes(path)) views.push_back(view_of_node(state));
  return views;
}

core::Result<bool> Session::has_chunk(std::string_view path, ChunkIndexView index) const {
  TRY_ASSIGN(const auto array, state_->find_array(path));
  return ChunkLookup(*state_, array).contains(index);
}

core::Result<std::vector<bool>> Session::have_chunks(std::string_view path,
                                                     std::span<const std::uint32_t> indices) const {
  TRY_ASSIGN(const auto array, state_->find_array(path));
  const std::size_t rank = array.shape->size();
  if (rank == 0 || indices.size() % rank != 0) {
    return core::Error(core::ErrorCode::kInvalidArgument,
                       core::text(path, ": ", indices.size(),
                                  " numbers are no list of chunk positions of rank ", rank));
  }
  ChunkLookup lookup(*state_, array);
  std::vector<bool> have(indices.size() / rank);
  for (std::size_t i = 0; i < have.size(); ++i) {
    TRY_ASSIGN(have[i], lookup.contains(indices.subspan(i * rank, rank)));
  }
  return have;
}

core::Result<std::optional<ChunkReference>> Session::reference(std::string_view path,
                                                               ChunkIndexView index) const {
  TRY_ASSIGN(const auto array, state_->find_array(path));
  ChunkLookup lookup(*state_, array);
  TRY_ASSIGN(const auto view, lookup.find(index));
  if (!view) return {std::nullopt};
  return {own(*view)};
}

core::Result<std::optional<core::Bytes>> Session::read_chunk(
    std::string_view path, ChunkIndexView index,
    const std::optional<core::ByteRange>& range) const {
  TRY_ASSIGN(const auto array, state_->find_array(path));
  ChunkLookup lookup(*state_, array);
  TRY_ASSIGN(const auto view, lookup.find(index));
  if (!view) return {std::nullopt};
  auto bytes = read_chunk_bytes(state_->context(), *view, range);
  if (!bytes) return std::move(bytes).error().within(path);
  return {*std::move(bytes)};
}

core::Status Session::for_each_chunk(std::string_view path,
                                     const std::function<bool(const ChunkEntry&)>& visit) const {
  TRY_ASSIGN(const auto array, state_->find_array(path));
  return walk_chunks(*state_, array, visit);
}

}  // namespace icefield::icechunk
