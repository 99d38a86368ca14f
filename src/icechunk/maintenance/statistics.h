#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/result.h"
#include "icechunk/commit/repository.h"

namespace icefield::icechunk {

/// What a reader of one array has to fetch. A manifest that several arrays share counts for each
/// with its whole size, as each reader fetches it whole.
struct ArrayManifests {
  std::string path;
  std::uint64_t manifests = 0;
  std::uint64_t windows = 0;     // with at least one manifest
  std::uint64_t references = 0;  // of this array; from boxes where a manifest is shared
  std::uint64_t bytes = 0;
  std::uint64_t largest_window_bytes = 0;
  std::uint32_t split_size = 0;  // chunks along the first dimension, as configured now

  /// Chunks along the first dimension with which a window would stay within `budget` bytes.
  std::uint32_t split_for(std::uint64_t budget) const;
};

/// Array by array in one snapshot; reads the snapshot only, no manifest.
core::Result<std::vector<ArrayManifests>> manifest_statistics(const Repository& repository,
                                                              const SnapshotId& at);

/// All objects of one kind below the root.
struct ObjectKind {
  std::string name;  // "repo", "snapshots", "manifests", ...
  std::uint64_t objects = 0;
  std::uint64_t bytes = 0;
};
core::Result<std::vector<ObjectKind>> object_statistics(const Repository& repository);

}  // namespace icefield::icechunk
