#include "icechunk/session/zarr_store.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/parallel.h"
#include "core/text.h"
#include "icechunk/session/chunk_reader.h"
#include "icechunk/session/session_state.h"

namespace icefield::icechunk {
namespace {

core::ByteRange range_in(std::uint64_t size, const ValueRange& range) {
  if (const auto* last = std::get_if<LastBytes>(&range)) {
    const std::uint64_t length = std::min(last->length, size);
    return {.offset = size - length, .length = length};
  }
  const auto& start = std::get<FromStart>(range);
  const std::uint64_t offset = std::min(start.offset, size);
  return {.offset = offset, .length = std::min(start.length.value_or(size), size - offset)};
}

core::Bytes part_of(std::span<const std::byte> bytes, const ValueRange& range) {
  const auto part = range_in(bytes.size(), range);
  const auto wanted = bytes.subspan(part.offset, part.length);
  return {wanted.begin(), wanted.end()};
}

/// The node path of a folder: "" is the root.
std::string folder_path(std::string_view prefix) {
  while (prefix.ends_with('/')) prefix.remove_suffix(1);
  return "/" + std::string(prefix);
}

bool is_array_of(const Session& session, const ChunkKey& key) {
  const auto node = session.state().find(key.path);
  return node && node->is_array() && node->shape->size() == key.index.size();
}

}  // namespace

core::Result<std::optional<core::Bytes>> ZarrStore::get_chunk(const ChunkKey& key,
                                                              const ValueRange& range) const {
  if (!is_array_of(session_, key)) return {std::nullopt};
  const auto* start = std::get_if<FromStart>(&range);
  if (start != nullptr && start->offset == 0 && !start->length) {
    return session_.read_chunk(key.path, key.index);
  }
  TRY_ASSIGN(const auto reference, session_.reference(key.path, key.index));
  if (!reference) return {std::nullopt};
  const auto view = view_of(*reference);
  auto bytes =
      read_chunk_bytes(session_.state().context(), view, range_in(chunk_length(view), range));
  if (!bytes) return std::move(bytes).error().within(chunk_key_text(key.path, key.index));
  return {*std::move(bytes)};
}

core::Result<std::optional<core::Bytes>> ZarrStore::get(std::string_view key,
                                                        const ValueRange& range) const {
  const auto parsed = parse_zarr_key(key);
  if (!parsed) return {std::nullopt};
  if (const auto* chunk = std::get_if<ChunkKey>(&*parsed)) return get_chunk(*chunk, range);
  const auto node = session_.state().find(std::get<MetadataKey>(*parsed).path);
  if (!node) return {std::nullopt};
  return {part_of(node->user_data->view(), range)};
}

std::vector<core::Result<std::optional<core::Bytes>>> ZarrStore::get_many(
    std::span<const Request> requests) const {
  constexpr std::size_t kAtOnce = 16;  // requests wait for a store, not for a core
  return core::parallel_map(requests, kAtOnce, [this](const Request& request) {
    return get(request.key, request.range);
  });
}

core::Result<bool> ZarrStore::exists(std::string_view key) const {
  const auto parsed = parse_zarr_key(key);
  if (!parsed) return false;
  if (const auto* metadata = std::get_if<MetadataKey>(&*parsed)) {
    return session_.state().find(metadata->path).has_value();
  }
  const auto& chunk = std::get<ChunkKey>(*parsed);
  if (!is_array_of(session_, chunk)) return false;
  return session_.has_chunk(chunk.path, chunk.index);
}

core::Status ZarrStore::set(std::string_view key, core::Bytes value) {
  const auto parsed = parse_zarr_key(key);
  if (!parsed) {
    return core::Error(core::ErrorCode::kInvalidArgument,
                       "no key of a Zarr v3 store: " + std::string(key));
  }
  if (const auto* chunk = std::get_if<ChunkKey>(&*parsed)) {
    return session_.set_chunk(chunk->path, chunk->index, std::move(value));
  }
  TRY_ASSIGN([[maybe_unused]] const bool changed,
             session_.set_metadata(std::get<MetadataKey>(*parsed).path, value));
  return {};
}

std::vector<core::Status> ZarrStore::set_many(std::vector<Entry> entries) {
  std::vector<core::Status> results(entries.size());
  std::vector<Session::ChunkWrite> chunks;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    auto& [key, value] = entries[i];
    auto parsed = parse_zarr_key(key);
    if (auto* chunk = parsed ? std::get_if<ChunkKey>(&*parsed) : nullptr) {
      chunks.push_back({std::move(chunk->path), std::move(chunk->index), std::move(value)});
      places.push_back(i);
    } else {
      results[i] = set(key, std::move(value));
    }
  }
  auto written = session_.set_chunks(std::move(chunks));
  for (std::size_t i = 0; i < places.size(); ++i) results[places[i]] = std::move(written[i]);
  return results;
}

core::Status ZarrStore::erase(std::string_view key) {
  const auto parsed = parse_zarr_key(key);
  if (!parsed) return {};
  if (const auto* chunk = std::get_if<ChunkKey>(&*parsed)) {
    if (!is_array_of(session_, *chunk)) return {};
    return session_.delete_chunk(chunk->path, chunk->index);
  }
  const std::string& path = std::get<MetadataKey>(*parsed).path;
  if (!session_.state().find(path)) return {};
  return session_.delete_node(path);
}

core::Status ZarrStore::erase_dir(std::string_view prefix) {
  for (const NodeView& node : session_.nodes(folder_path(prefix))) {
    if (session_.state().find(node.path)) TRY(session_.delete_node(node.path));
  }
  return {};
}

core::Status ZarrStore::list(std::string_view prefix,
                             const std::function<bool(std::string_view)>& visit) const {
  bool going = true;
  const auto give = [&](std::string_view key) {
    if (key.starts_with(prefix)) going = visit(key);
    return going;
  };
  for (const NodeState& node : session_.state().nodes("/")) {
    const std::string own = metadata_key(node.path);
    const std::string_view folder = std::string_view(own).substr(0, own.size() - 9);
    const bool meets = folder.starts_with(prefix) || prefix.starts_with(folder);
    if (!meets) continue;
    if (!give(own)) return {};
    if (!node.is_array()) continue;
    TRY(session_.for_each_chunk(node.path, [&](const ChunkEntry& chunk) {
      return give(chunk_key_text(node.path, chunk.index));
    }));
    if (!going) return {};
  }
  return {};
}

core::Result<std::vector<std::string>> ZarrStore::list_dir(std::string_view prefix) const {
  std::string folder(prefix);
  while (folder.ends_with('/')) folder.pop_back();
  const std::string path = "/" + folder;
  std::set<std::string> names;
  const auto self = session_.state().find(path);
  for (const NodeState& node : session_.state().nodes(path)) {
    if (node.path == path) continue;
    const auto below = node.path.substr(path == "/" ? 1 : path.size() + 1);
    names.emplace(below.substr(0, below.find('/')));
  }
  if (self) names.emplace("zarr.json");
  // chunks: the array's own folder, or one of the folders inside it
  const bool inside_array = !self && names.empty();
  if (inside_array || (self && self->is_array())) {
    if (!folder.empty()) folder += '/';
    TRY(list(folder, [&](std::string_view key) {
      key.remove_prefix(folder.size());
      names.emplace(key.substr(0, key.find('/')));
      return inside_array || names.size() < 2;  // of the array itself: zarr.json and c
    }));
  }
  return std::vector<std::string>(names.begin(), names.end());
}

}  // namespace icefield::icechunk
