#pragma once

#include <string>

#include "icechunk/format/manifest_list.h"

namespace icefield::icechunk::internal {

/// A manifest list as the snapshot file holds it, with everything it refers to in one block that
/// may stand at any position that is a multiple of 4: a vector of ManifestRef tables, their
/// vtable, the tables and their extents. Equal lists give equal blocks, so that many arrays can
/// share one (docs/formats/icechunk.md, Layout of snapshots).
std::string manifest_block(const ManifestList& manifests);

}  // namespace icefield::icechunk::internal
