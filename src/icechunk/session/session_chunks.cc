#include <type_traits>
#include <utility>

#include "core/text.h"
#include "icechunk/assets/keys.h"
#include "icechunk/format/location.h"
#include "icechunk/session/session.h"
#include "icechunk/session/session_rules.h"
#include "icechunk/session/session_state.h"

namespace icefield::icechunk {
namespace {

constexpr std::size_t kMaxReferencesPerArray = std::size_t{1} << 31U;  // SortedChanges

core::Error invalid(std::string what) {
  return core::Error(core::ErrorCode::kInvalidArgument, std::move(what));
}

std::string index_text(ChunkIndexView index) {
  std::vector<std::string> numbers;
  for (const std::uint32_t number : index) numbers.push_back(std::to_string(number));
  return "[" + core::join(numbers, ", ") + "]";
}

core::Status check_position(const NodeState& array, ChunkIndexView index) {
  if (inside_grid(index, *array.shape)) return {};
  return invalid(core::text(array.path, ": chunk ", index_text(index), " is outside the grid"));
}

ArrayChanges& changes_of(SessionState& state, const NodeState& array) {
  return state.changes().chunks.try_emplace(array.id, array.shape->size()).first->second;
}

/// The bytes of the object that a reference stands for; from 0 for inline chunks.
core::ByteRange range_of(const ChunkReference& reference) {
  return std::visit(
      [](const auto& kind) -> core::ByteRange {
        if constexpr (std::is_same_v<std::decay_t<decltype(kind)>, InlineChunk>) {
          return {.offset = 0, .length = kind.bytes.size()};
        } else {
          return kind.range;
        }
      },
      reference);
}

/// One spelling of a location (spec 10), checked against the containers and the identity.
core::Result<std::string> checked_location(const SessionContext& context, std::string_view location,
                                           const SourceIdentity& identity) {
  auto canonical = canonical_location(location, context.containers, LocationForm::kRelative);
  if (!canonical) {
    // what a caller can do about it is to declare a container or to correct the location
    return invalid("virtual chunk location " + std::string(location) + ": " +
                   canonical.error().message());
  }
  if (std::holds_alternative<EntityTag>(identity)) {
    TRY_ASSIGN(const auto resolved, resolve_location(*canonical, context.containers));
    if (resolved.container->kind == StoreKind::kLocal) {
      return invalid("virtual chunk location " + std::string(location) +
                     ": readers cannot check entity tags of local files");
    }
  }
  return canonical;
}

core::Status check_columns(const SessionState& state, const NodeState& array,
                           const VirtualReferences& references) {
  const std::size_t rank = array.shape->size();
  const std::size_t size = references.size();
  if (references.indices.size() != size * rank || references.offsets.size() != size ||
      references.lengths.size() != size) {
    return invalid(core::text(array.path, ": columns of references differ in size"));
  }
  const std::size_t known = state.locations().size();
  for (std::size_t i = 0; i < size; ++i) {
    const auto index = references.indices.subspan(i * rank, rank);
    TRY(check_position(array, index));
    if (references.locations[i].value() >= known) {
      return invalid(core::text(array.path, ": chunk ", index_text(index),
                                " has a location that is not of this session"));
    }
    if (references.lengths[i] == 0 ||
        references.offsets[i] + references.lengths[i] < references.offsets[i]) {
      return invalid(core::text(array.path, ": chunk ", index_text(index),
                                " has a byte range that no object has"));
    }
  }
  return {};
}

/// Where the bytes of chunks are to be found: small ones as they are, others written now.
std::vector<core::Result<ChunkReference>> stored_chunks(const SessionContext& context,
                                                        std::vector<core::Bytes> chunks) {
  std::vector<core::Result<ChunkReference>> references(chunks.size(),
                                                       ChunkReference(InlineChunk{}));
  std::vector<object_store::PutRequest> objects;
  std::vector<std::pair<std::size_t, ChunkId>> places;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    if (chunks[i].empty()) {
      references[i] = invalid("a chunk of no bytes");
    } else if (chunks[i].size() <= context.config.inline_chunk_threshold_bytes()) {
      references[i] = ChunkReference(InlineChunk{.bytes = std::move(chunks[i])});
    } else {
      const ChunkId id = ChunkId::random();
      objects.push_back({.key = chunk_key(id), .bytes = chunks[i]});
      places.emplace_back(i, id);
    }
  }
  const auto written = context.assets->put_new(std::move(objects));
  for (std::size_t i = 0; i < written.size(); ++i) {
    const auto& [at, id] = places[i];
    if (written[i]) {
      references[at] =
          ChunkReference(NativeChunk{.id = id, .range = {.offset = 0, .length = *written[i]}});
    } else {
      references[at] = written[i].error();
    }
  }
  return references;
}

}  // namespace

core::Status Session::set_chunk(std::string_view path, ChunkIndexView index, core::Bytes bytes) {
  std::vector<ChunkWrite> one;
  one.push_back({std::string(path), ChunkIndex(index.begin(), index.end()), std::move(bytes)});
  return set_chunks(std::move(one)).front();
}

std::vector<core::Status> Session::set_chunks(std::vector<ChunkWrite> chunks) {
  std::vector<core::Status> results(chunks.size());
  std::vector<core::Bytes> wanted;
  std::vector<std::size_t> places;
  const auto check = [this](const ChunkWrite& chunk) -> core::Status {
    TRY(check_can_edit(*state_));
    TRY_ASSIGN(const auto array, state_->find_array(chunk.path));
    return check_position(array, chunk.index);
  };
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    results[i] = check(chunks[i]);
    if (!results[i]) continue;
    wanted.push_back(std::move(chunks[i].bytes));
    places.push_back(i);
  }
  auto stored = stored_chunks(state_->context(), std::move(wanted));
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto& chunk = chunks[places[i]];
    if (stored[i]) {
      const auto array = state_->find_array(chunk.path);
      changes_of(*state_, *array).edit(chunk.index, *std::move(stored[i]));
    } else {
      results[places[i]] = std::move(stored[i]).error();
    }
  }
  return results;
}

core::Result<ChunkReference> Session::store_chunk(core::Bytes bytes) const {
  std::vector<core::Bytes> one;
  one.push_back(std::move(bytes));
  return std::move(stored_chunks(state_->context(), std::move(one)).front());
}

core::Status Session::set_reference(std::string_view path, ChunkIndexView index,
                                    ChunkReference reference) {
  TRY(check_can_edit(*state_));
  TRY_ASSIGN(const auto array, state_->find_array(path));
  TRY(check_position(array, index));
  if (auto* source = std::get_if<VirtualChunk>(&reference)) {
    TRY_ASSIGN(source->location,
               checked_location(state_->context(), source->location, source->identity));
  }
  const core::ByteRange range = range_of(reference);
  if (range.length == 0 || range.end() < range.offset) {
    return invalid(
        core::text(path, ": chunk ", index_text(index), " has a byte range that no object has"));
  }
  changes_of(*state_, array).edit(index, std::move(reference));
  return {};
}

core::Status Session::delete_chunk(std::string_view path, ChunkIndexView index) {
  TRY(check_can_edit(*state_));
  TRY_ASSIGN(const auto array, state_->find_array(path));
  if (!inside_grid(index, *array.shape)) return {};
  TRY_ASSIGN(const bool present, has_chunk(path, index));
  if (present) changes_of(*state_, array).edit(index, std::nullopt);
  return {};
}

core::Result<LocationNumber> Session::add_location(std::string_view location,
                                                   const SourceIdentity& identity) {
  TRY(check_can_edit(*state_));
  if (const auto* known = state_->locations().find(location, identity)) return *known;
  TRY_ASSIGN(const auto spelled, checked_location(state_->context(), location, identity));
  return state_->locations().add(spelled, identity);
}

core::Status Session::set_virtual_references(std::string_view path,
                                             const VirtualReferences& references) {
  TRY(check_can_edit(*state_));
  TRY_ASSIGN(const auto array, state_->find_array(path));
  TRY(check_columns(*state_, array, references));
  if (references.size() == 0) return {};
  ArrayChanges& changes = changes_of(*state_, array);
  if (changes.size() + references.size() >= kMaxReferencesPerArray) {
    return invalid(core::text(path, ": more references in one session than an array can take"));
  }
  changes.add(references);
  return {};
}

}  // namespace icefield::icechunk
