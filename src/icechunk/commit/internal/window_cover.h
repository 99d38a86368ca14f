#pragma once

#include <vector>

#include "icechunk/commit/internal/box_cover.h"

namespace icefield::icechunk {

/// Cuts the references of one window into disjoint boxes: full ones if at most 16 do. Else the
/// newest rows (positions along the first dimension) that hold less than others do, which are
/// still growing, get boxes of their own, and the rest one box, holes included.
/// Precondition: the list is not empty.
std::vector<Piece> cover_window(const ReferenceList& list, const ReferenceSources& sources);

}  // namespace icefield::icechunk
