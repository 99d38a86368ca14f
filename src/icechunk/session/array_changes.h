#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "icechunk/format/chunk_grid.h"
#include "icechunk/format/chunk_reference.h"
#include "icechunk/session/location_table.h"
#include "icechunk/session/virtual_references.h"

namespace icefield::icechunk {

/// A chunk that was set or deleted. Absent value: deleted.
using ChunkEdit = std::optional<ChunkReference>;

class SortedChanges;

/// What one session changed in the chunks of one array. Bulk references are kept in columns
/// (index, location number, offset, length: 36 bytes at rank 4), edits of single chunks in a map.
/// const calls from any threads, others alone.
class ArrayChanges {
 public:
  explicit ArrayChanges(std::size_t rank) : rank_(rank) {}
  ArrayChanges(ArrayChanges&& other) noexcept;
  ArrayChanges& operator=(ArrayChanges&&) = delete;
  ArrayChanges(const ArrayChanges&) = delete;
  ArrayChanges& operator=(const ArrayChanges&) = delete;
  ~ArrayChanges() = default;

  std::size_t rank() const noexcept { return rank_; }

  /// Positions changed, those changed twice counted once for edits and twice for bulk.
  std::size_t size() const noexcept { return bulk_size_ + edits_.size(); }

  /// Precondition: index.size() == rank().
  void edit(ChunkIndexView index, ChunkEdit edit);

  /// Precondition: columns agree in size with rank().
  void add(const VirtualReferences& references);

  /// Takes back what was changed at these positions.
  void forget(const ChunkIndexSet& positions);

  /// Every changed position once, with its last change, ascending. The result is kept until the
  /// next change and lends from `this` and `locations`, which must outlive it.
  std::shared_ptr<const SortedChanges> sorted(const LocationTable& locations) const;

  /// The position's last change: nullptr when there is none. Cheap while edits are single;
  /// after bulk changes the first call sorts.
  struct Found {
    std::optional<ReferenceView> reference;  // absent: deleted
  };
  std::optional<Found> find(ChunkIndexView index, const LocationTable& locations) const;

  /// Bytes of memory held by columns and edits.
  std::size_t memory() const noexcept;

 private:
  friend class SortedChanges;

  /// Up to kSegment references; full ones have no spare room.
  struct Segment {
    std::vector<std::uint32_t> indices;
    std::vector<LocationNumber> locations;
    std::vector<std::uint64_t> offsets;
    std::vector<std::uint64_t> lengths;
  };
  static constexpr std::size_t kSegment = std::size_t{1} << 14U;

  ChunkIndexView bulk_index(std::size_t at) const {
    return ChunkIndexView(segments_[at / kSegment].indices).subspan((at % kSegment) * rank_, rank_);
  }
  VirtualView bulk_view(std::size_t at, const LocationTable& locations) const;
  void add_to_last_segment(const VirtualReferences& references, std::size_t first,
                           std::size_t count);

  std::size_t rank_;
  std::vector<Segment> segments_;
  std::size_t bulk_size_ = 0;
  bool bulk_ascends_ = true;               // strictly, so that no sorting is needed
  std::map<ChunkIndex, ChunkEdit> edits_;  // later than everything in bulk
  mutable std::mutex mutex_;               // guards sorted_
  mutable std::shared_ptr<const SortedChanges> sorted_;
};

/// The changes of one array in order of position. Immutable; any threads.
class SortedChanges {
 public:
  SortedChanges(const ArrayChanges& changes, const LocationTable& locations);

  std::size_t size() const noexcept { return identity_ ? changes_.bulk_size_ : order_.size(); }
  std::size_t rank() const noexcept { return changes_.rank(); }
  ChunkIndexView index(std::size_t at) const;

  /// The reference set at `at`; nothing when the chunk was deleted.
  std::optional<ReferenceView> view(std::size_t at) const;
  bool deleted(std::size_t at) const;

  /// The first change whose position is not less than `index`.
  std::size_t lower_bound(ChunkIndexView index) const;

  std::size_t memory() const noexcept { return order_.size() * 4 + edits_.size() * 8; }

 private:
  static constexpr std::uint32_t kEdit = std::uint32_t{1} << 31U;  // else a position in bulk

  void sort_bulk();
  void merge_edits();

  const ArrayChanges& changes_;
  const LocationTable& locations_;
  bool identity_ = false;             // bulk in its own order, no edits: order_ stays empty
  std::vector<std::uint32_t> order_;  // bulk position, or kEdit | number in edits_
  std::vector<const std::pair<const ChunkIndex, ChunkEdit>*> edits_;
};

}  // namespace icefield::icechunk
