#pragma once

#include <vector>

#include "icechunk/commit/internal/reference_list.h"

namespace icefield::icechunk {

/// One list in order of position out of several. Where several hold a position, the reference of
/// the last such list stays; a deletion that stays takes the position out.
ReferenceList merge_lists(const std::vector<ReferenceList>& lists, const ReferenceSources& sources);

}  // namespace icefield::icechunk
