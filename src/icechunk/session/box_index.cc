#include "icechunk/session/box_index.h"

#include <algorithm>
#include <limits>

namespace icefield::icechunk {
namespace {

constexpr std::uint32_t kLast = std::numeric_limits<std::uint32_t>::max();

/// A box without ranges holds everything.
ChunkRange first_range(const ChunkBox& box) {
  return box.rank() == 0 ? ChunkRange{.from = 0, .to = kLast} : box[0];
}

}  // namespace

BoxIndex::BoxIndex(std::span<const ManifestRef> manifests) : manifests_(manifests) {
  entries_.reserve(manifests.size());
  for (std::size_t i = 0; i < manifests.size(); ++i) {
    const ChunkRange range = first_range(manifests[i].extents);
    entries_.push_back({.from = range.from, .reaches = range.to, .at = i});
  }
  std::ranges::sort(entries_, {},
                    [](const Entry& entry) { return std::pair(entry.from, entry.at); });
  std::uint32_t reaches = 0;
  for (Entry& entry : entries_) entry.reaches = reaches = std::max(reaches, entry.reaches);
}

template <typename Visit>
void BoxIndex::candidates(std::uint32_t from, std::uint32_t to, const Visit& visit) const {
  auto end = std::ranges::lower_bound(entries_, to, {}, &Entry::from);
  while (end != entries_.begin()) {
    --end;
    if (end->reaches <= from) return;
    visit(end->at);
  }
}

std::optional<std::size_t> BoxIndex::find(ChunkIndexView index) const {
  std::optional<std::size_t> best;
  const std::uint32_t from = index.empty() ? 0 : index[0];
  candidates(from, from == kLast ? kLast : from + 1, [&](std::size_t at) {
    if ((!best || at < *best) && manifests_[at].extents.contains(index)) best = at;
  });
  return best;
}

std::vector<std::size_t> BoxIndex::meeting(const ChunkBox& box) const {
  std::vector<std::size_t> found;
  const ChunkRange range = first_range(box);
  candidates(range.from, range.to, [&](std::size_t at) {
    if (manifests_[at].extents.meets(box)) found.push_back(at);
  });
  std::ranges::sort(found);
  return found;
}

}  // namespace icefield::icechunk
