#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/result.h"
#include "icechunk/commit/repository.h"

namespace icefield::icechunk {

/// What lies in one window of an array: a reader that opens it fetches all of it.
struct WindowLoad {
  std::uint64_t bytes = 0;  // of its manifests
  std::uint32_t rows = 0;   // chunks along the first dimension that their boxes span
};

/// What a reader of one array has to fetch. A manifest that several arrays share counts for each
/// with its whole size, as each reader fetches it whole.
struct ArrayManifests {
  std::string path = {};
  std::uint64_t manifests = 0;
  std::vector<WindowLoad> windows = {};  // with at least one manifest, in the order of the array
  std::uint64_t references = 0;          // of this array; from boxes where a manifest is shared
  std::uint64_t bytes = 0;
  std::uint32_t split_size = 0;  // chunks along the first dimension, as configured; 0: a scalar

  std::uint64_t largest_window_bytes() const;
  std::size_t windows_over(std::uint64_t budget) const;

  /// The most chunks along the first dimension with which every window would stay within `budget`
  /// bytes, by what a chunk's row takes now; at least 1. 0 when there is nothing to go by.
  std::uint64_t split_for(std::uint64_t budget) const;
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
