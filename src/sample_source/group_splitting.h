#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace icefield::sample_source {

/// Consecutive points that are packed with one reference and one width.
struct Group {
  std::uint32_t length = 0;  // points, at least 1
  std::uint32_t low = 0;     // smallest value; subtracted from each
  std::uint8_t width = 0;    // bits per point; 0 when all points are alike
  bool all_missing = false;  // no point has a value; width is then 0
};

/// Cuts `steps` (each >= 0 or kMissingPoint) into groups that together cover it in order, so that
/// references, widths, lengths and points take few bits. With `may_miss` the value "all ones" of
/// each width is kept for missing points. `steps` must not be empty.
std::vector<Group> split_groups(std::span<const std::int32_t> steps, bool may_miss);

}  // namespace icefield::sample_source
