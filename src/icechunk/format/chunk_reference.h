#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "core/bytes.h"
#include "icechunk/format/ids.h"

namespace icefield::icechunk {

/// A byte range of one of the repository's own chunk objects.
struct NativeChunk {
  ChunkId id = {};
  core::ByteRange range = {};  // never of length 0 in what we write
  friend bool operator==(const NativeChunk&, const NativeChunk&) = default;
};

/// The chunk's encoded bytes themselves.
struct InlineChunk {
  core::Bytes bytes = {};
  friend bool operator==(const InlineChunk&, const InlineChunk&) = default;
};

/// Entity tag of a source object as its store gave it.
struct EntityTag {
  std::string text = {};
  friend bool operator==(const EntityTag&, const EntityTag&) = default;
};

/// Time of a source object's last change, rounded up to whole seconds; never 0.
struct LastModified {
  std::uint32_t seconds = 0;  // since 1970 UTC
  friend bool operator==(const LastModified&, const LastModified&) = default;
};

/// What the source must still be when it is read; monostate: nothing is checked.
using SourceIdentity = std::variant<std::monostate, EntityTag, LastModified>;

/// A byte range of an object that is not the repository's.
struct VirtualChunk {
  std::string location = {};   // absolute URL, or vcc://{container}/{path}
  core::ByteRange range = {};  // never of length 0 in what we write
  SourceIdentity identity = {};
  friend bool operator==(const VirtualChunk&, const VirtualChunk&) = default;
};

/// Where the bytes of one chunk are.
using ChunkReference = std::variant<NativeChunk, InlineChunk, VirtualChunk>;

// The same without owning text or bytes: what manifests hand out and take in, reference by
// reference, without memory of its own.

struct InlineView {
  std::span<const std::byte> bytes = {};
};

struct VirtualView {
  std::string_view location = {};
  core::ByteRange range = {};
  std::string_view entity_tag = {};  // empty: none
  std::uint32_t last_modified = 0;   // seconds; 0: none. At most one of the two is set
};

using ReferenceView = std::variant<NativeChunk, InlineView, VirtualView>;

/// The view of a value, valid as long as `reference` lives unchanged.
ReferenceView view_of(const ChunkReference& reference);

/// A value that owns what the view shows.
ChunkReference own(const ReferenceView& view);

}  // namespace icefield::icechunk
