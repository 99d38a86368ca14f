#pragma once

#include <optional>
#include <string>

#include "core/bytes.h"
#include "core/result.h"
#include "icechunk/format/chunk_reference.h"
#include "icechunk/session/session_state.h"

namespace icefield::icechunk {

/// Bytes of the encoded chunk that a reference stands for.
std::uint64_t chunk_length(const ReferenceView& reference);

/// Fetches the part of a chunk inside `range` (bytes of the chunk; the part past its end is left
/// out). Errors: for virtual chunks, each naming the location: kPermissionDenied, with the
/// container's url prefix, when it was not authorised; kNotFound; kCorrupt when fewer bytes came
/// than the reference says; kConflict when the source is not what was referenced.
core::Result<core::Bytes> read_chunk_bytes(const SessionContext& context,
                                           const ReferenceView& reference,
                                           const std::optional<core::ByteRange>& range);

/// True when an object is still what a reference to it was made of: the same entity tag, or not
/// modified later than recorded. A reference that records neither is never wrong.
bool is_same_source(const VirtualView& reference, const object_store::ObjectInfo& now);

/// The key of a virtual chunk's source below the root of its container's store.
/// Errors: as resolve_location.
struct SourceObject {
  const VirtualContainer* container = nullptr;
  object_store::Key key;
};
core::Result<SourceObject> source_object(const SessionContext& context, std::string_view location);

}  // namespace icefield::icechunk
