#include "icechunk/session/chunk_reader.h"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "core/text.h"
#include "icechunk/assets/keys.h"
#include "icechunk/format/location.h"

namespace icefield::icechunk {
namespace {

core::ByteRange clipped(std::uint64_t length, const std::optional<core::ByteRange>& range) {
  if (!range) return {.offset = 0, .length = length};
  const std::uint64_t begin = std::min(range->offset, length);
  return {.offset = begin, .length = std::min(range->length, length - begin)};
}

/// The part of an object that a part of its chunk is.
core::ByteRange within_object(const core::ByteRange& chunk, const core::ByteRange& part) {
  return {.offset = chunk.offset + part.offset, .length = part.length};
}

std::string_view without_quotes(std::string_view tag) {
  if (tag.starts_with("W/")) tag.remove_prefix(2);
  if (tag.size() >= 2 && tag.front() == '"' && tag.back() == '"') {
    tag = tag.substr(1, tag.size() - 2);
  }
  return tag;
}

/// Errors: kConflict when the source is not, or no longer, what was referenced. Asked after the
/// bytes have come, so that a change in between is seen.
core::Status check_identity(const object_store::ObjectStore& store, const object_store::Key& key,
                            const VirtualView& reference, const ContainerAccess& access) {
  if (reference.entity_tag.empty() && reference.last_modified == 0) return {};
  TRY_ASSIGN(const auto info, store.head(key));
  if (is_same_source(reference, info) || access.accept_changed(reference.location)) return {};
  return core::Error(core::ErrorCode::kConflict, "the source was modified since it was referenced");
}

core::Result<core::Bytes> read_virtual(const SessionContext& context, const VirtualView& reference,
                                       const core::ByteRange& part) {
  TRY_ASSIGN(const auto source, source_object(context, reference.location));
  const auto store = context.access.find(source.container->url_prefix);
  if (!store) {
    return core::Error(
        core::ErrorCode::kPermissionDenied,
        "nobody authorised reading from the container " + source.container->url_prefix);
  }
  TRY_ASSIGN(auto bytes,
             object_store::get_range(*store, source.key, within_object(reference.range, part)));
  TRY(check_identity(*store, source.key, reference, context.access));
  return bytes;
}

}  // namespace

bool is_same_source(const VirtualView& reference, const object_store::ObjectInfo& now) {
  const bool same_tag = reference.entity_tag.empty() ||
                        without_quotes(reference.entity_tag) == without_quotes(now.version.value());
  const core::Instant latest{std::chrono::seconds(reference.last_modified)};
  return same_tag && (reference.last_modified == 0 || now.last_modified <= latest);
}

std::uint64_t chunk_length(const ReferenceView& reference) {
  return std::visit(
      [](const auto& kind) -> std::uint64_t {
        if constexpr (std::is_same_v<std::decay_t<decltype(kind)>, InlineView>) {
          return kind.bytes.size();
        } else {
          return kind.range.length;
        }
      },
      reference);
}

core::Result<SourceObject> source_object(const SessionContext& context, std::string_view location) {
  TRY_ASSIGN(auto resolved, resolve_location(location, context.containers));
  // the prefix is "scheme://host/path/": the store's root is that path
  std::string_view prefix = resolved.container->url_prefix;
  prefix.remove_prefix(std::min(prefix.size(), prefix.find("://") + 3));
  prefix.remove_prefix(std::min(prefix.size(), prefix.find('/')));
  if (!resolved.key.starts_with('/') && prefix.starts_with('/')) prefix.remove_prefix(1);
  if (!std::string_view(resolved.key).starts_with(prefix)) {
    return core::Error(core::ErrorCode::kInvalidArgument,
                       "the object " + resolved.key + " is not below its container");
  }
  return SourceObject{.container = resolved.container,
                      .key = object_store::Key(resolved.key.substr(prefix.size()))};
}

core::Result<core::Bytes> read_chunk_bytes(const SessionContext& context,
                                           const ReferenceView& reference,
                                           const std::optional<core::ByteRange>& range) {
  const core::ByteRange part = clipped(chunk_length(reference), range);
  if (const auto* small = std::get_if<InlineView>(&reference)) {
    const auto bytes = small->bytes.subspan(part.offset, part.length);
    return core::Bytes(bytes.begin(), bytes.end());
  }
  if (part.length == 0) return core::Bytes{};
  if (const auto* native = std::get_if<NativeChunk>(&reference)) {
    const auto key = chunk_key(native->id);
    auto bytes =
        object_store::get_range(context.assets->store(), key, within_object(native->range, part));
    if (!bytes) return std::move(bytes).error().within("chunk object " + key.value());
    return bytes;
  }
  const auto& source = std::get<VirtualView>(reference);
  auto bytes = read_virtual(context, source, part);
  if (!bytes) {
    return std::move(bytes).error().within("virtual chunk at " + std::string(source.location));
  }
  return bytes;
}

}  // namespace icefield::icechunk
