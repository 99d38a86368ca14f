#include "icechunk/format/internal/lanes.h"

#include <cstddef>
#include <limits>

namespace icefield::icechunk::internal {
namespace {

constexpr std::size_t kEntry = 4;    // bytes of an entry of the vector
constexpr std::size_t kFewest = 64;  // records; below that the gain is a few bytes

std::size_t round_up(std::size_t value, std::size_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

}  // namespace

Lanes choose_lanes(std::size_t count, std::size_t size, std::size_t alignment,
                   const LaneCost& cost) {
  const std::size_t least = round_up(size, alignment);
  Lanes best{.lanes = 1, .stride = least, .rows = count};
  if (count < kFewest) return best;
  const std::size_t most = least + least / 3;
  double best_cost = std::numeric_limits<double>::max();
  for (std::size_t stride = least; stride <= most; stride += alignment) {
    const std::size_t lanes = stride / kEntry;
    const std::size_t rows = (count + lanes - 1) / lanes;
    if (lanes >= count || lanes * rows > count + count / 4) continue;  // mostly gaps
    const double here = cost(lanes, stride);
    if (here >= best_cost) continue;
    best_cost = here;
    best = {.lanes = lanes, .stride = stride, .rows = rows};
  }
  return best;
}

}  // namespace icefield::icechunk::internal
