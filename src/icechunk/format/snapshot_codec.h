#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "core/bytes.h"
#include "core/result.h"
#include "icechunk/format/snapshot.h"

namespace icefield::icechunk {

/// Reads a snapshot file of version 1 or 2. Nodes share the decompressed buffer for their
/// zarr.json. With `expected`, a file that holds another id is kCorrupt.
/// Errors: kCorrupt for anything that breaks the format: lists out of order, boxes of a rank that
/// is not the array's, bounds; kUnsupported for sizes over the format's limits.
core::Result<Snapshot> decode_snapshot(std::span<const std::byte> file,
                                       std::optional<SnapshotId> expected = std::nullopt);

/// A file of version 2. parent_id is not stored. Lists must be in order (put_in_order).
/// Errors: kInvalidArgument when they are not, or the file would be too large to be read.
core::Result<core::Bytes> encode_snapshot(const Snapshot& snapshot);

}  // namespace icefield::icechunk
