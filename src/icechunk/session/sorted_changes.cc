#include <algorithm>
#include <compare>
#include <numeric>
#include <utility>

#include "icechunk/session/array_changes.h"

namespace icefield::icechunk {
namespace {

/// Row-major numbers of positions inside a box, as long as they fit 64 bits.
class Linear {
 public:
  explicit Linear(const ChunkBox& box) : box_(box) {}

  bool fits() const { return box_.volume() < ~std::uint64_t{0}; }

  std::uint64_t number(ChunkIndexView index) const {
    std::uint64_t number = 0;
    const auto ranges = box_.ranges();
    for (std::size_t d = 0; d < index.size(); ++d) {
      number = number * (ranges[d].to - ranges[d].from) + (index[d] - ranges[d].from);
    }
    return number;
  }

 private:
  const ChunkBox& box_;
};

}  // namespace

SortedChanges::SortedChanges(const ArrayChanges& changes, const LocationTable& locations)
    : changes_(changes), locations_(locations) {
  identity_ = changes.bulk_ascends_ && changes.edits_.empty();
  if (identity_) return;
  sort_bulk();
  if (!changes.edits_.empty()) merge_edits();
}

void SortedChanges::sort_bulk() {
  const std::size_t size = changes_.bulk_size_;
  order_.resize(size);
  std::iota(order_.begin(), order_.end(), std::uint32_t{0});
  if (changes_.bulk_ascends_ || size == 0) return;
  ChunkBox box = ChunkBox::around(changes_.bulk_index(0));
  for (std::size_t i = 1; i < size; ++i) box.extend(changes_.bulk_index(i));
  const auto index = [this](std::uint32_t at) { return changes_.bulk_index(at); };
  if (const Linear linear(box); linear.fits()) {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> keyed(size);
    for (std::uint32_t i = 0; i < size; ++i) keyed[i] = {linear.number(index(i)), i};
    std::sort(keyed.begin(), keyed.end());
    std::ranges::transform(keyed, order_.begin(), [](const auto& entry) { return entry.second; });
  } else {
    std::ranges::stable_sort(order_, [&](std::uint32_t left, std::uint32_t right) {
      return std::is_lt(compare_indices(index(left), index(right)));
    });
  }
  // of equal positions the one staged last stays
  std::size_t kept = 0;
  for (std::size_t i = 0; i < size; ++i) {
    if (i + 1 < size && std::ranges::equal(index(order_[i]), index(order_[i + 1]))) continue;
    order_[kept++] = order_[i];
  }
  order_.resize(kept);
}

void SortedChanges::merge_edits() {
  const std::vector<std::uint32_t> bulk = std::exchange(order_, {});
  order_.reserve(bulk.size() + changes_.edits_.size());
  std::size_t at = 0;
  for (const auto& entry : changes_.edits_) {
    const ChunkIndexView index(entry.first);
    while (at < bulk.size() && std::is_lt(compare_indices(changes_.bulk_index(bulk[at]), index))) {
      order_.push_back(bulk[at++]);
    }
    if (at < bulk.size() && std::ranges::equal(changes_.bulk_index(bulk[at]), index)) ++at;
    order_.push_back(kEdit | static_cast<std::uint32_t>(edits_.size()));
    edits_.push_back(&entry);
  }
  order_.insert(order_.end(), bulk.begin() + static_cast<std::ptrdiff_t>(at), bulk.end());
}

ChunkIndexView SortedChanges::index(std::size_t at) const {
  if (identity_) return changes_.bulk_index(at);
  const std::uint32_t entry = order_[at];
  if ((entry & kEdit) != 0) return edits_[entry & ~kEdit]->first;
  return changes_.bulk_index(entry);
}

std::optional<ReferenceView> SortedChanges::view(std::size_t at) const {
  if (identity_) return changes_.bulk_view(at, locations_);
  const std::uint32_t entry = order_[at];
  if ((entry & kEdit) == 0) return changes_.bulk_view(entry, locations_);
  const ChunkEdit& edit = edits_[entry & ~kEdit]->second;
  if (!edit) return std::nullopt;
  return view_of(*edit);
}

bool SortedChanges::deleted(std::size_t at) const {
  if (identity_ || (order_[at] & kEdit) == 0) return false;
  return !edits_[order_[at] & ~kEdit]->second;
}

std::size_t SortedChanges::lower_bound(ChunkIndexView wanted) const {
  std::size_t first = 0;
  std::size_t count = size();
  while (count > 0) {
    const std::size_t half = count / 2;
    if (std::is_lt(compare_indices(index(first + half), wanted))) {
      first += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return first;
}

}  // namespace icefield::icechunk
