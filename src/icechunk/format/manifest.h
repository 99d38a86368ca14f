#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "core/bytes.h"
#include "core/result.h"
#include "icechunk/format/chunk_grid.h"
#include "icechunk/format/chunk_reference.h"
#include "icechunk/format/ids.h"

namespace icefield::icechunk {

/// A manifest file, read in place: the decompressed buffer is verified once and then bisected;
/// no reference is turned into an object before it is asked for. Immutable; any threads.
/// Copies share the buffer.
class Manifest {
 public:
  class Array;

  const ManifestId& id() const noexcept;

  /// References of all arrays together.
  std::uint64_t reference_count() const noexcept;

  /// Bytes that this object keeps in memory.
  std::size_t memory_bytes() const noexcept;

  /// Arrays in it, ascending by node id.
  std::size_t array_count() const noexcept;
  Array array(std::size_t at) const;

  /// The references of one array, by bisection; nothing when the manifest has none of it.
  std::optional<Array> find_array(const NodeId& node) const;

  /// The reference of one chunk, or nothing.
  /// Errors: kCorrupt when its compressed location cannot be read.
  core::Result<std::optional<ChunkReference>> find(const NodeId& node, ChunkIndexView index) const;

  /// True when find() would give a reference. Never allocates.
  bool contains(const NodeId& node, ChunkIndexView index) const;

 private:
  friend core::Result<Manifest> decode_manifest(std::span<const std::byte> file,
                                                std::optional<ManifestId> expected);
  struct Contents;
  explicit Manifest(std::shared_ptr<const Contents> contents) : contents_(std::move(contents)) {}

  std::shared_ptr<const Contents> contents_;
};

/// The references of one array in one manifest, ascending by position. A light view: valid as
/// long as the Manifest (or a copy of it) lives.
class Manifest::Array {
 public:
  const NodeId& node() const noexcept;
  std::size_t size() const noexcept;  // at least 1
  std::size_t rank() const noexcept;  // numbers per position, the same for all of them

  /// Tight bounding box of the positions.
  const ChunkBox& box() const noexcept;

  /// Position of the reference `at` < size(). The span is into the manifest's buffer.
  ChunkIndexView index(std::size_t at) const;

  /// Begins to load reference `at` for a later index(at) or view(at), so that the memory's latency
  /// is not waited for; nothing for at >= size().
  void prefetch(std::size_t at) const noexcept;
  static constexpr std::size_t kAhead = 16;  // how long before its turn that pays

  /// The first reference whose position is not less than `index`; size() when there is none.
  std::size_t lower_bound(ChunkIndexView index) const;

  /// Where the reference of this position is, or nothing. Never allocates. Constant time where
  /// every position of box() has its reference, logarithmic otherwise.
  std::optional<std::size_t> position_of(ChunkIndexView index) const;

  /// The reference `at` < size(), without copying. A compressed location is decompressed into
  /// `scratch`, which the view then refers to; otherwise `scratch` is left alone.
  /// Errors: kCorrupt when a compressed location cannot be read or a location is not UTF-8.
  core::Result<ReferenceView> view(std::size_t at, std::string& scratch) const;

  /// The same as a value that owns its parts.
  core::Result<ChunkReference> reference(std::size_t at) const;

 private:
  friend class Manifest;
  Array(const Contents& contents, std::size_t at) : contents_(&contents), at_(at) {}

  const Contents* contents_;
  std::size_t at_;
};

/// Reads a manifest file of version 1 or 2. With `expected`, a file that holds another id is
/// kCorrupt. Errors: kCorrupt for anything that breaks the format: bounds, order, repetition,
/// positions of different rank within one array, an array without references, a reference without
/// any kind; kUnsupported for sizes over the format's limits. One pass over the references, no
/// allocation per reference.
core::Result<Manifest> decode_manifest(std::span<const std::byte> file,
                                       std::optional<ManifestId> expected = std::nullopt);

}  // namespace icefield::icechunk
