#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/time.h"
#include "icechunk/format/chunk_grid.h"
#include "icechunk/format/ids.h"
#include "icechunk/format/manifest_list.h"
#include "icechunk/format/metadata.h"
#include "icechunk/format/shared_bytes.h"

namespace icefield::icechunk {

/// One dimension of an array, as far as lookups need it; chunk lengths are only in zarr.json.
struct DimensionShape {
  std::uint64_t array_length = 0;  // elements
  std::uint32_t num_chunks = 0;    // chunks along the dimension
  friend bool operator==(const DimensionShape&, const DimensionShape&) = default;
};

/// The boxes of one array's manifests are disjoint in what we write; a reader takes the first box
/// that holds a position, and that manifest only.
struct ArrayData {
  std::vector<DimensionShape> shape = {};  // empty for a scalar
  /// Absent when zarr.json has none; a dimension without a name is an empty optional.
  std::optional<std::vector<std::optional<std::string>>> dimension_names = {};
  ManifestList manifests = {};
  friend bool operator==(const ArrayData&, const ArrayData&) = default;

  /// The manifest to ask for `index`, or nullptr when no box holds it.
  const ManifestRef* manifest_for(ChunkIndexView index) const;

  /// Chunks along each dimension.
  ChunkIndex num_chunks() const;
};

/// A group or an array.
struct Node {
  NodeId id = {};              // for life, also across moves
  std::string path = {};       // path.h; files by others may hold paths that are not canonical
  SharedBytes user_data = {};  // the exact bytes of the node's zarr.json
  std::optional<ArrayData> array = {};  // absent: a group
  friend bool operator==(const Node&, const Node&) = default;

  bool is_array() const noexcept { return array.has_value(); }
};

/// What is known of a manifest before it is fetched.
struct ManifestFile {
  ManifestId id = {};
  std::uint64_t size_bytes = 0;      // of the whole file; 0: unknown
  std::uint32_t num_chunk_refs = 0;  // of all arrays together
  friend bool operator==(const ManifestFile&, const ManifestFile&) = default;
};

/// One version of the whole repository. The same shape for every version of the format.
struct Snapshot {
  SnapshotId id = {};
  /// Only files of spec version 1 tell their parent; later the repo object does.
  std::optional<SnapshotId> parent_id = {};
  core::Instant flushed_at = {};  // strictly later than the parent's
  std::string message = {};
  Metadata metadata = {};
  std::vector<Node> nodes = {};                   // ascending by path (bytes), unique
  std::vector<ManifestFile> manifest_files = {};  // all that nodes refer to, ascending by id
  friend bool operator==(const Snapshot&, const Snapshot&) = default;

  /// The node at a path, by bisection, or nullptr.
  const Node* find(std::string_view path) const;
  Node* find(std::string_view path);

  /// The manifest's entry, by bisection, or nullptr.
  const ManifestFile* find_manifest(const ManifestId& manifest) const;
};

/// Positions [begin, end) in Snapshot::nodes of the nodes strictly below `path`. The node itself is
/// not beside them: byte order puts /a-b between /a and /a/b.
struct NodeSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
};
NodeSpan nodes_below(const Snapshot& snapshot, std::string_view path);

/// The first snapshot of a new repository: no nodes, {"__icechunk": {"is_root": true}}.
Snapshot initial_snapshot(core::Instant now);

/// Puts nodes and manifest files in order, and keeps of the files those that some node refers to.
/// Errors: kInvalidArgument when two nodes share a path, or a manifest has no file entry.
core::Status put_in_order(Snapshot& snapshot);

/// Everything a writer must keep: order, uniqueness of paths and ids, canonical paths, ranks, boxes
/// that are disjoint and not empty, complete manifest list. Errors: kCorrupt with the first thing
/// found.
core::Status check_snapshot(const Snapshot& snapshot);

}  // namespace icefield::icechunk
