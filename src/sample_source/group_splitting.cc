#include "sample_source/group_splitting.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>

#include "sample_source/spatial_differencing.h"

namespace icefield::sample_source {
namespace {

constexpr std::size_t kBlock = 32;             // points that are never separated
constexpr std::size_t kLongest = kBlock * 64;  // keeps the bits of each length few
constexpr std::size_t kGroupCost = 24;         // bits of reference, width and length, about

/// The values of some consecutive points.
struct Extent {
  std::int32_t low = std::numeric_limits<std::int32_t>::max();
  std::int32_t high = std::numeric_limits<std::int32_t>::min();
  bool any_missing = false;

  bool all_missing() const { return low > high; }

  void join(const Extent& other) {
    low = std::min(low, other.low);
    high = std::max(high, other.high);
    any_missing = any_missing || other.any_missing;
  }
};

Extent measure(std::span<const std::int32_t> steps, bool may_miss) {
  Extent extent;
  if (!may_miss) {
    for (const std::int32_t step : steps) {
      extent.low = std::min(extent.low, step);
      extent.high = std::max(extent.high, step);
    }
    return extent;
  }
  for (const std::int32_t step : steps) {
    if (step == kMissingPoint) {
      extent.any_missing = true;
    } else {
      extent.low = std::min(extent.low, step);
      extent.high = std::max(extent.high, step);
    }
  }
  return extent;
}

unsigned width_of(const Extent& extent, bool may_miss) {
  if (extent.all_missing()) return 0;
  const auto range = static_cast<std::uint32_t>(extent.high - extent.low);
  if (range == 0 && !extent.any_missing) return 0;
  return static_cast<unsigned>(std::bit_width(range + (may_miss ? 1U : 0U)));
}

Group close(const Extent& extent, std::size_t length, bool may_miss) {
  return {.length = static_cast<std::uint32_t>(length),
          .low = extent.all_missing() ? 0 : static_cast<std::uint32_t>(extent.low),
          .width = static_cast<std::uint8_t>(width_of(extent, may_miss)),
          .all_missing = extent.all_missing()};
}

}  // namespace

std::vector<Group> split_groups(std::span<const std::int32_t> steps, bool may_miss) {
  std::vector<Group> groups;
  groups.reserve(steps.size() / kBlock / 2 + 1);
  Extent open = measure(steps.first(std::min(kBlock, steps.size())), may_miss);
  std::size_t length = std::min(kBlock, steps.size());
  for (std::size_t at = length; at < steps.size(); at += kBlock) {
    const std::size_t count = std::min(kBlock, steps.size() - at);
    const Extent next = measure(steps.subspan(at, count), may_miss);
    Extent both = open;
    both.join(next);
    const std::size_t apart =
        length * width_of(open, may_miss) + count * width_of(next, may_miss) + kGroupCost;
    const std::size_t together = (length + count) * width_of(both, may_miss);
    if (together <= apart && length + count <= kLongest) {
      open = both;
      length += count;
    } else {
      groups.push_back(close(open, length, may_miss));
      open = next;
      length = count;
    }
  }
  groups.push_back(close(open, length, may_miss));
  return groups;
}

}  // namespace icefield::sample_source
