#include "icechunk/session/array_changes.h"

#include <algorithm>
#include <compare>
#include <utility>

namespace icefield::icechunk {

ArrayChanges::ArrayChanges(ArrayChanges&& other) noexcept
    : rank_(other.rank_),
      segments_(std::move(other.segments_)),
      bulk_size_(std::exchange(other.bulk_size_, 0)),
      bulk_ascends_(other.bulk_ascends_),
      edits_(std::move(other.edits_)) {}

void ArrayChanges::edit(ChunkIndexView index, ChunkEdit edit) {
  edits_.insert_or_assign(ChunkIndex(index.begin(), index.end()), std::move(edit));
  sorted_.reset();
}

void ArrayChanges::add(const VirtualReferences& references) {
  sorted_.reset();
  for (std::size_t i = 0; i < references.size() && !edits_.empty(); ++i) {
    const auto index = references.indices.subspan(i * rank_, rank_);
    edits_.erase(ChunkIndex(index.begin(), index.end()));
  }
  for (std::size_t i = 0; i < references.size() && bulk_ascends_; ++i) {
    const auto index = references.indices.subspan(i * rank_, rank_);
    const auto before = i > 0            ? references.indices.subspan((i - 1) * rank_, rank_)
                        : bulk_size_ > 0 ? bulk_index(bulk_size_ - 1)
                                         : ChunkIndexView();
    if (i + bulk_size_ > 0) bulk_ascends_ = std::is_lt(compare_indices(before, index));
  }
  std::size_t done = 0;
  while (done < references.size()) {
    if (bulk_size_ % kSegment == 0) segments_.emplace_back();
    const std::size_t count = std::min(references.size() - done, kSegment - bulk_size_ % kSegment);
    add_to_last_segment(references, done, count);
    done += count;
    bulk_size_ += count;
  }
}

namespace {

template <typename T>
void append(std::vector<T>& to, std::span<const T> from, std::size_t capacity) {
  if (to.size() + from.size() > to.capacity()) {
    to.reserve(std::min(capacity, std::max(to.size() + from.size(), to.capacity() * 2)));
  }
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

void ArrayChanges::add_to_last_segment(const VirtualReferences& references, std::size_t first,
                                       std::size_t count) {
  Segment& segment = segments_.back();
  append(segment.indices, references.indices.subspan(first * rank_, count * rank_),
         kSegment * rank_);
  append(segment.locations, references.locations.subspan(first, count), kSegment);
  append(segment.offsets, references.offsets.subspan(first, count), kSegment);
  append(segment.lengths, references.lengths.subspan(first, count), kSegment);
}

VirtualView ArrayChanges::bulk_view(std::size_t at, const LocationTable& locations) const {
  const Segment& segment = segments_[at / kSegment];
  const std::size_t i = at % kSegment;
  return locations.view(segment.locations[i],
                        {.offset = segment.offsets[i], .length = segment.lengths[i]});
}

void ArrayChanges::forget(const ChunkIndexSet& positions) {
  std::erase_if(edits_, [&](const auto& entry) { return positions.contains(entry.first); });
  sorted_.reset();
  std::vector<Segment> before = std::exchange(segments_, {});
  bulk_size_ = 0;
  bulk_ascends_ = true;
  auto edits = std::exchange(edits_, {});  // add() must not see them: they are later
  for (const Segment& segment : before) {
    for (std::size_t i = 0; i < segment.locations.size(); ++i) {
      const auto index = ChunkIndexView(segment.indices).subspan(i * rank_, rank_);
      if (positions.contains(index)) continue;
      add({.indices = index,
           .locations = std::span(segment.locations).subspan(i, 1),
           .offsets = std::span(segment.offsets).subspan(i, 1),
           .lengths = std::span(segment.lengths).subspan(i, 1)});
    }
  }
  edits_ = std::move(edits);
}

std::shared_ptr<const SortedChanges> ArrayChanges::sorted(const LocationTable& locations) const {
  const std::lock_guard lock(mutex_);
  if (!sorted_) sorted_ = std::make_shared<const SortedChanges>(*this, locations);
  return sorted_;
}

std::optional<ArrayChanges::Found> ArrayChanges::find(ChunkIndexView index,
                                                      const LocationTable& locations) const {
  if (!edits_.empty()) {
    const auto found = edits_.find(ChunkIndex(index.begin(), index.end()));
    if (found != edits_.end()) {
      if (!found->second) return Found{};
      return Found{.reference = view_of(*found->second)};
    }
  }
  if (bulk_size_ == 0) return std::nullopt;
  const auto all = sorted(locations);
  const std::size_t at = all->lower_bound(index);
  if (at == all->size() || !std::ranges::equal(all->index(at), index)) return std::nullopt;
  return Found{.reference = all->view(at)};
}

std::size_t ArrayChanges::memory() const noexcept {
  std::size_t bytes = 0;
  for (const Segment& segment : segments_) {
    bytes += segment.indices.capacity() * sizeof(std::uint32_t) +
             segment.locations.capacity() * sizeof(LocationNumber) +
             (segment.offsets.capacity() + segment.lengths.capacity()) * sizeof(std::uint64_t) +
             sizeof(Segment);
  }
  return bytes + edits_.size() * (rank_ * sizeof(std::uint32_t) + 128);
}

}  // namespace icefield::icechunk
