#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/bytes.h"
#include "core/result.h"
#include "icechunk/format/chunk_grid.h"
#include "icechunk/format/chunk_reference.h"
#include "icechunk/format/ids.h"
#include "icechunk/format/shared_bytes.h"
#include "icechunk/format/snapshot.h"
#include "icechunk/session/virtual_references.h"

namespace icefield::icechunk {

class SessionState;
class RepositoryConfig;

/// A node as a session sees it: the base snapshot with the session's own changes.
struct NodeView {
  NodeId id;
  std::string path;      // absolute, "/" for the root
  SharedBytes metadata;  // the exact bytes of zarr.json
  bool is_array = false;
  std::vector<DimensionShape> shape;  // arrays: length and number of chunks per dimension
};

/// One chunk as it is stored, for callers that walk all references of an array.
struct ChunkEntry {
  ChunkIndexView index;     // valid during the visit
  ReferenceView reference;  // valid during the visit
};

/// One transaction's view of a repository: what the base snapshot holds, and on top what was
/// changed since. Nothing of it is visible to others before commit() (icechunk/commit/commit.h).
/// Made by Repository::writable_session and readonly_session.
///
/// Threads: const calls may run at the same time as each other, never beside a changing call.
/// Errors of every call that reads: kUnavailable, kPermissionDenied from the store; kCorrupt,
/// naming the object, when what was read breaks the format.
/// Errors of every changing call: kInvalidArgument on a read-only session, for a path that is not
/// canonical, and when edits and moves are mixed (a session does one or the other).
class Session {
 public:
  explicit Session(std::unique_ptr<SessionState> state);
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  /// The snapshot this session started from, or was rebased to, or has committed.
  const SnapshotId& base() const noexcept;

  /// The branch that commit() moves; nothing for a read-only session. A session becomes read-only
  /// with its commit.
  const std::optional<std::string>& branch() const noexcept;

  /// Persisted configuration merged with what was given at opening.
  const RepositoryConfig& config() const noexcept;

  bool has_changes() const noexcept;

  // ---- nodes -------------------------------------------------------------------------------

  /// Errors: kNotFound, naming the path.
  core::Result<NodeView> node(std::string_view path) const;

  /// `path` itself (if it is a node) and everything below, ascending by path bytes.
  std::vector<NodeView> nodes(std::string_view path = "/") const;

  /// Creates the node or replaces its zarr.json; returns false when the bytes were the same and
  /// nothing changed. `zarr_json` needs node_type, and for arrays shape and a regular or
  /// rectilinear chunk_grid; everything else is kept as it is, unread.
  /// A smaller shape hides the chunks outside; they are dropped at commit.
  /// Errors: kInvalidArgument for a document that is not such, for a node of the other kind at
  /// the path, for a path below an array, or an array with nodes below it.
  core::Result<bool> set_metadata(std::string_view path, std::span<const std::byte> zarr_json);

  /// Removes the node and everything below. Errors: kNotFound.
  core::Status delete_node(std::string_view path);

  /// Renames a node with everything below. The node keeps its id, metadata and chunks.
  /// Errors: kNotFound (source, or the parent of the destination), kInvalidArgument (root,
  /// destination exists or lies inside the source, parent is an array).
  core::Status move_node(std::string_view from, std::string_view to);

  // ---- reading chunks ----------------------------------------------------------------------
  // `path` names an array (else kNotFound); an index of another rank than the array's is
  // kInvalidArgument; one outside the grid has no chunk. Nothing here reads a virtual chunk
  // except read_chunk and read_chunks.

  /// True when the chunk has a reference: from manifests alone, whatever it points to.
  core::Result<bool> has_chunk(std::string_view path, ChunkIndexView index) const;

  /// The same for many positions, flattened (count * rank numbers); about 1 us for 10.
  core::Result<std::vector<bool>> have_chunks(std::string_view path,
                                              std::span<const std::uint32_t> indices) const;

  /// Where the chunk is; nothing when it has no reference.
  core::Result<std::optional<ChunkReference>> reference(std::string_view path,
                                                        ChunkIndexView index) const;

  /// The chunk's encoded bytes, or the part of them inside `range`; nothing when it has no
  /// reference. A reference that cannot be read is an error and never fill: kPermissionDenied,
  /// naming the container's url prefix, when nobody authorised it; kNotFound, kCorrupt (short
  /// body) or kConflict (the source changed since it was referenced), naming the location.
  core::Result<std::optional<core::Bytes>> read_chunk(
      std::string_view path, ChunkIndexView index,
      const std::optional<core::ByteRange>& range = std::nullopt) const;

  /// Calls `visit` for every reference of the array, ascending by index, until it returns false.
  core::Status for_each_chunk(std::string_view path,
                              const std::function<bool(const ChunkEntry&)>& visit) const;

  // ---- changing chunks ---------------------------------------------------------------------
  // Errors of all: kNotFound when `path` is no array; kInvalidArgument for an index of another
  // rank or outside the grid. A later change of a chunk replaces an earlier one.

  /// Sets the chunk's encoded bytes: kept in the manifest up to inline_chunk_threshold_bytes,
  /// else written to the store now. Errors: kInvalidArgument for no bytes.
  core::Status set_chunk(std::string_view path, ChunkIndexView index, core::Bytes bytes);

  struct ChunkWrite {
    std::string path;
    ChunkIndex index;
    core::Bytes bytes;
  };
  /// set_chunk for many, in their order, whose bytes are written at the same time. Result i belongs
  /// to chunk i; one that fails stops no other.
  std::vector<core::Status> set_chunks(std::vector<ChunkWrite> chunks);

  /// Writes chunk bytes without changing the session: from any thread, to be followed by
  /// set_reference. Small chunks are not written but come back inline.
  core::Result<ChunkReference> store_chunk(core::Bytes bytes) const;

  /// Sets where the chunk is. Virtual locations are checked and spelled as in add_location.
  core::Status set_reference(std::string_view path, ChunkIndexView index, ChunkReference reference);

  /// Removes the reference, so that the chunk reads as fill. Absent, or outside the grid: fine.
  core::Status delete_chunk(std::string_view path, ChunkIndexView index);

  /// Makes a source object known to this session. `location` is an absolute URL or
  /// vcc://NAME/PATH; it is kept in one spelling: relative to the container with the longest
  /// matching url prefix when that has a name, aliases of schemes resolved.
  /// Errors: kInvalidArgument, naming the location, when no container matches; kInvalidArgument
  /// for an entity tag on a file:// source.
  core::Result<LocationNumber> add_location(std::string_view location,
                                            const SourceIdentity& identity = {});

  /// Stages references of one array, in bulk: at least 5 million per second and core, at most
  /// 48 bytes of memory each (rank 4). All or nothing.
  /// Errors: kInvalidArgument when columns differ in size, an index is outside the grid, a length
  /// is 0, offset + length overflows, or a location is not of this session.
  core::Status set_virtual_references(std::string_view path, const VirtualReferences& references);

  // ---- for icechunk/commit -----------------------------------------------------------------
  SessionState& state() noexcept { return *state_; }
  const SessionState& state() const noexcept { return *state_; }

 private:
  std::unique_ptr<SessionState> state_;
};

}  // namespace icefield::icechunk
