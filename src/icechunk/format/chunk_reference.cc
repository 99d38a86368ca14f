#include "icechunk/format/chunk_reference.h"

#include <string>
#include <variant>

namespace icefield::icechunk {
namespace {

struct ToView {
  ReferenceView operator()(const NativeChunk& chunk) const { return chunk; }
  ReferenceView operator()(const InlineChunk& chunk) const { return InlineView{chunk.bytes}; }
  ReferenceView operator()(const VirtualChunk& chunk) const {
    VirtualView view{.location = chunk.location, .range = chunk.range};
    if (const auto* tag = std::get_if<EntityTag>(&chunk.identity)) view.entity_tag = tag->text;
    if (const auto* time = std::get_if<LastModified>(&chunk.identity)) {
      view.last_modified = time->seconds;
    }
    return view;
  }
};

SourceIdentity identity_of(const VirtualView& view) {
  if (!view.entity_tag.empty()) return EntityTag{std::string(view.entity_tag)};
  if (view.last_modified != 0) return LastModified{view.last_modified};
  return {};
}

struct ToValue {
  ChunkReference operator()(const NativeChunk& chunk) const { return chunk; }
  ChunkReference operator()(const InlineView& view) const {
    return InlineChunk{.bytes = {view.bytes.begin(), view.bytes.end()}};
  }
  ChunkReference operator()(const VirtualView& view) const {
    return VirtualChunk{
        .location = std::string(view.location), .range = view.range, .identity = identity_of(view)};
  }
};

}  // namespace

ReferenceView view_of(const ChunkReference& reference) {
  return std::visit(ToView{}, reference);
}

ChunkReference own(const ReferenceView& view) {
  return std::visit(ToValue{}, view);
}

}  // namespace icefield::icechunk
