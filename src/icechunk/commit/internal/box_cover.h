#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "icechunk/commit/internal/reference_list.h"
#include "icechunk/format/chunk_grid.h"

namespace icefield::icechunk {

/// References that become one manifest entry of their array, and the box that the snapshot gives
/// it: tight.
struct Piece {
  ChunkBox box;
  ReferenceList references;
};

/// Cuts positions into at most `most` disjoint boxes each of which is full: every position in it
/// is one of the list's. Such boxes cannot meet a box that holds none of the positions, and never
/// claim a position that somebody else may add later.
/// Nothing when that would take more boxes. Precondition: the list is not empty.
std::optional<std::vector<Piece>> cover_with_full_boxes(const ReferenceList& list,
                                                        const ReferenceSources& sources,
                                                        std::size_t most);

}  // namespace icefield::icechunk
