#include "icechunk/format/chunk_grid.h"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace icefield::icechunk {

ChunkBox::ChunkBox(std::span<const ChunkRange> ranges) : rank_(ranges.size()) {
  if (rank_ > kInline) heap_.resize(rank_);
  std::ranges::copy(ranges, data());
}

ChunkBox ChunkBox::around(ChunkIndexView index) {
  ChunkBox box;
  box.rank_ = index.size();
  if (box.rank_ > kInline) box.heap_.resize(box.rank_);
  std::ranges::transform(index, box.data(), [](std::uint32_t at) {
    return ChunkRange{at, at + 1};
  });
  return box;
}

void ChunkBox::set(std::size_t dimension, ChunkRange range) {
  data()[dimension] = range;
}

bool ChunkBox::contains(ChunkIndexView index) const {
  if (rank_ == 0) return true;
  if (index.size() != rank_) return false;
  const auto own = ranges();
  for (std::size_t d = 0; d < rank_; ++d) {
    if (index[d] < own[d].from || index[d] >= own[d].to) return false;
  }
  return true;
}

bool ChunkBox::meets(const ChunkBox& other) const {
  const auto empty = [](const ChunkRange& range) { return range.from >= range.to; };
  if (std::ranges::any_of(ranges(), empty) || std::ranges::any_of(other.ranges(), empty)) {
    return false;
  }
  const std::size_t both = std::min(rank_, other.rank_);
  const auto left = ranges();
  const auto right = other.ranges();
  for (std::size_t d = 0; d < both; ++d) {
    if (left[d].to <= right[d].from || right[d].to <= left[d].from) return false;
  }
  return true;
}

bool ChunkBox::covers(const ChunkBox& other) const {
  if (rank_ == 0) return true;
  if (other.rank_ != rank_) return false;
  const auto outer = ranges();
  const auto inner = other.ranges();
  const bool inner_empty =
      std::ranges::any_of(inner, [](const ChunkRange& range) { return range.from >= range.to; });
  if (inner_empty) return true;
  for (std::size_t d = 0; d < rank_; ++d) {
    if (inner[d].from < outer[d].from || inner[d].to > outer[d].to) return false;
  }
  return true;
}

std::uint64_t ChunkBox::volume() const {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t product = 1;
  bool too_large = false;
  for (const ChunkRange& range : ranges()) {
    if (range.from >= range.to) return 0;
    too_large = __builtin_mul_overflow(product, std::uint64_t{range.to - range.from}, &product) ||
                too_large;
  }
  return too_large ? kMost : product;
}

void ChunkBox::extend(const ChunkBox& other) {
  ChunkRange* const own = data();
  const auto others = other.ranges();
  for (std::size_t d = 0; d < rank_; ++d) {
    own[d].from = std::min(own[d].from, others[d].from);
    own[d].to = std::max(own[d].to, others[d].to);
  }
}

ChunkBox ChunkBox::common(const ChunkBox& other) const {
  ChunkBox made = *this;
  ChunkRange* const own = made.data();
  const auto others = other.ranges();
  for (std::size_t d = 0; d < rank_; ++d) {
    own[d].from = std::max(own[d].from, others[d].from);
    own[d].to = std::max(own[d].from, std::min(own[d].to, others[d].to));
  }
  return made;
}

bool operator==(const ChunkBox& left, const ChunkBox& right) {
  return std::ranges::equal(left.ranges(), right.ranges());
}

ChunkIndexSet ChunkIndexSet::from_unsorted(std::size_t rank, std::vector<std::uint32_t> numbers) {
  ChunkIndexSet made(rank);
  if (rank == 0) return made;
  const std::size_t count = numbers.size() / rank;
  const auto at = [&numbers, rank](std::size_t i) {
    return ChunkIndexView(numbers).subspan(i * rank, rank);
  };
  std::size_t sorted_until = 1;
  while (sorted_until < count &&
         std::is_lt(compare_indices(at(sorted_until - 1), at(sorted_until)))) {
    ++sorted_until;
  }
  if (sorted_until >= count) {  // nothing to do, and nothing copied
    made.size_ = count;
    made.numbers_ = std::move(numbers);
    return made;
  }
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, [&at](std::uint32_t left, std::uint32_t right) {
    return std::is_lt(compare_indices(at(left), at(right)));
  });
  made.numbers_.reserve(numbers.size());
  for (const std::uint32_t i : order) made.append(at(i));  // repetitions are refused
  return made;
}

bool ChunkIndexSet::append(ChunkIndexView index) {
  if (size_ == 0 && rank_ == 0) rank_ = index.size();
  if (index.size() != rank_) return false;
  if (size_ > 0 && std::is_gteq(compare_indices((*this)[size_ - 1], index))) return false;
  numbers_.insert(numbers_.end(), index.begin(), index.end());
  ++size_;
  return true;
}

bool ChunkIndexSet::contains(ChunkIndexView index) const {
  if (index.size() != rank_) return false;
  std::size_t from = 0;
  std::size_t to = size_;
  while (from < to) {
    const std::size_t middle = from + (to - from) / 2;
    const auto order = compare_indices((*this)[middle], index);
    if (std::is_eq(order)) return true;
    if (std::is_lt(order)) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  return false;
}

ChunkIndexSet ChunkIndexSet::join(const ChunkIndexSet& left, const ChunkIndexSet& right) {
  if (left.empty()) return right;
  if (right.empty()) return left;
  ChunkIndexSet made(left.rank_);
  made.reserve(left.size_ + right.size_);
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < left.size_ || j < right.size_) {
    const auto order = i == left.size_    ? std::strong_ordering::greater
                       : j == right.size_ ? std::strong_ordering::less
                                          : compare_indices(left[i], right[j]);
    made.append(std::is_lteq(order) ? left[i] : right[j]);
    if (std::is_lteq(order)) ++i;
    if (std::is_gteq(order)) ++j;
  }
  return made;
}

ChunkIndexSet ChunkIndexSet::common(const ChunkIndexSet& left, const ChunkIndexSet& right) {
  ChunkIndexSet made(left.rank_);
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < left.size_ && j < right.size_) {
    const auto order = compare_indices(left[i], right[j]);
    if (std::is_eq(order)) made.append(left[i]);
    if (std::is_lteq(order)) ++i;
    if (std::is_gteq(order)) ++j;
  }
  return made;
}

bool operator==(const ChunkIndexSet& left, const ChunkIndexSet& right) {
  return left.size_ == right.size_ && left.numbers_ == right.numbers_ &&
         (left.rank_ == right.rank_ || left.size_ == 0);
}

}  // namespace icefield::icechunk
