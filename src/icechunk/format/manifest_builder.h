#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/bytes.h"
#include "core/result.h"
#include "icechunk/format/chunk_grid.h"
#include "icechunk/format/chunk_reference.h"
#include "icechunk/format/ids.h"
#include "icechunk/format/snapshot.h"

namespace icefield::icechunk {

/// What a manifest is compressed for (docs/formats/icechunk.md, Layout of manifests).
enum class ManifestEffort : std::uint8_t {
  kCommit,   // little CPU: of small manifests few bytes, of large ones speed
  kCompact,  // fewest bytes
};

/// A finished manifest file and what a snapshot says about it.
struct BuiltManifest {
  struct Extent {
    NodeId node = {};
    ChunkBox box = {};  // tight bounding box of the node's references
    std::uint64_t references = 0;
  };
  ManifestFile file = {};
  core::Bytes bytes = {};            // the whole file, ready to be stored
  std::vector<Extent> extents = {};  // one per array, ascending by node id
};

/// Builds one manifest file from references in order: ascending by node id, then by position.
/// Keeps one decompressed image in memory (raw_bytes()); values are copied in at once.
/// For one thread at a time.
class ManifestBuilder {
 public:
  explicit ManifestBuilder(ManifestId id, ManifestEffort effort = ManifestEffort::kCommit);
  ManifestBuilder(ManifestBuilder&&) noexcept;
  ManifestBuilder& operator=(ManifestBuilder&&) noexcept;
  ManifestBuilder(const ManifestBuilder&) = delete;
  ManifestBuilder& operator=(const ManifestBuilder&) = delete;
  ~ManifestBuilder();

  /// About so many references come next, of one array: room for them is made at once.
  void expect(std::size_t references);

  /// Adds one reference. Views are copied.
  /// Errors: kInvalidArgument, with nothing added, when (node, index) does not come after the
  /// last, the rank changes within a node, a length is 0 (a chunk without bytes has no
  /// reference), a range runs past 2^64, a location is empty, both identities are set, or the
  /// file would pass the format's limits (500 million tables, 2 GiB).
  core::Status add(const NodeId& node, ChunkIndexView index, const ReferenceView& reference);

  std::uint64_t reference_count() const noexcept;
  std::uint64_t raw_bytes() const noexcept;  // decompressed size so far, within a few per cent

  /// The finished file. Errors: kInvalidArgument when nothing was added.
  core::Result<BuiltManifest> finish() &&;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace icefield::icechunk
