#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace icefield::icechunk {

/// Position in an array's chunk grid, one number per dimension; empty for a scalar.
using ChunkIndex = std::vector<std::uint32_t>;
using ChunkIndexView = std::span<const std::uint32_t>;

/// Element by element as numbers, a prefix first: the order of references in a manifest.
inline std::strong_ordering compare_indices(ChunkIndexView left, ChunkIndexView right) {
  const std::size_t both = std::min(left.size(), right.size());
  for (std::size_t d = 0; d < both; ++d) {
    if (left[d] != right[d]) return left[d] <=> right[d];
  }
  return left.size() <=> right.size();
}

/// Half-open interval [from, to) of chunk indices along one dimension.
struct ChunkRange {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  friend constexpr auto operator<=>(const ChunkRange&, const ChunkRange&) = default;
};

/// A box of chunk positions, one range per dimension. Without ranges it holds every position
/// (what the box of a scalar is, docs/formats/icechunk.md, Extents).
/// Up to kInline dimensions need no memory beside the object.
class ChunkBox {
 public:
  static constexpr std::size_t kInline = 5;

  ChunkBox() = default;
  explicit ChunkBox(std::span<const ChunkRange> ranges);
  ChunkBox(std::initializer_list<ChunkRange> ranges)
      : ChunkBox(std::span<const ChunkRange>(ranges.begin(), ranges.size())) {}

  /// The box that holds exactly this position.
  static ChunkBox around(ChunkIndexView index);

  std::size_t rank() const noexcept { return rank_; }
  std::span<const ChunkRange> ranges() const noexcept {
    return {rank_ <= kInline ? inline_.data() : heap_.data(), rank_};
  }
  const ChunkRange& operator[](std::size_t dimension) const { return ranges()[dimension]; }
  void set(std::size_t dimension, ChunkRange range);

  /// True when the box holds the position. A position of another rank is in no box with ranges.
  bool contains(ChunkIndexView index) const;

  /// True when some position is in both. Empty ranges meet nothing. Ranks must agree, unless one
  /// of the boxes has none.
  bool meets(const ChunkBox& other) const;

  /// True when every position of `other` is in this box.
  bool covers(const ChunkBox& other) const;

  /// Positions inside; 1 for a box without ranges; the largest uint64 when it would not fit.
  std::uint64_t volume() const;

  /// Grows the box to hold `index`. Precondition: index.size() == rank().
  void extend(ChunkIndexView index) {
    ChunkRange* const own = data();
    for (std::size_t d = 0; d < rank_; ++d) {
      own[d].from = std::min(own[d].from, index[d]);
      own[d].to = std::max(own[d].to, index[d] + 1);
    }
  }

  /// Grows the box to hold all of `other`. Precondition: equal ranks.
  void extend(const ChunkBox& other);

  /// The common part; an empty range where there is none. Precondition: equal ranks.
  ChunkBox common(const ChunkBox& other) const;

  friend bool operator==(const ChunkBox& left, const ChunkBox& right);

 private:
  ChunkRange* data() { return rank_ <= kInline ? inline_.data() : heap_.data(); }

  std::size_t rank_ = 0;
  std::array<ChunkRange, kInline> inline_{};
  std::vector<ChunkRange> heap_;  // all ranges when there are more than kInline
};

/// A sorted set of positions of one array, kept in one block (4 bytes per number).
class ChunkIndexSet {
 public:
  ChunkIndexSet() = default;
  explicit ChunkIndexSet(std::size_t rank) : rank_(rank) {}

  /// From positions in any order, with repetitions. Precondition: all have `rank` numbers.
  static ChunkIndexSet from_unsorted(std::size_t rank, std::vector<std::uint32_t> numbers);

  std::size_t rank() const noexcept { return rank_; }
  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  ChunkIndexView operator[](std::size_t at) const {
    return ChunkIndexView(numbers_).subspan(at * rank_, rank_);
  }

  /// Adds a position greater than all others: false, and nothing done, when it is not, or when
  /// it has another rank. The first position of a default-made set fixes the rank.
  bool append(ChunkIndexView index);
  void reserve(std::size_t positions) { numbers_.reserve(positions * rank_); }

  bool contains(ChunkIndexView index) const;

  /// Positions in either or in both; sets of different rank: the positions of both cannot be
  /// joined, and the precondition is that ranks agree or one set is empty.
  static ChunkIndexSet join(const ChunkIndexSet& left, const ChunkIndexSet& right);
  static ChunkIndexSet common(const ChunkIndexSet& left, const ChunkIndexSet& right);

  friend bool operator==(const ChunkIndexSet& left, const ChunkIndexSet& right);

 private:
  std::size_t rank_ = 0;
  std::size_t size_ = 0;
  std::vector<std::uint32_t> numbers_;  // size_ * rank_
};

}  // namespace icefield::icechunk
