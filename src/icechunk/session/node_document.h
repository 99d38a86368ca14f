#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"
#include "icechunk/format/snapshot.h"

namespace icefield::icechunk {

/// What Icechunk derives from a zarr.json; everything else in it is stored unread.
struct NodeDocument {
  /// Absent for a group; else shape and dimension names, without manifests.
  std::optional<ArrayData> array;
};

/// Errors: kInvalidArgument when the document is no JSON object with node_type "group" or "array",
/// or an array's shape, chunk_grid (regular or rectilinear) or dimension_names are missing, of
/// wrong type, of different rank, or give 2^32 chunks or more along a dimension.
core::Result<NodeDocument> parse_node_document(std::span<const std::byte> zarr_json);

}  // namespace icefield::icechunk
