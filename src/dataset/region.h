#pragma once

#include <compare>
#include <cstdint>

namespace icefield::dataset {

/// Half-open span of positions [begin, end) on the append dimension.
struct Region {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  constexpr std::uint64_t size() const noexcept { return end - begin; }
  friend constexpr auto operator<=>(const Region&, const Region&) = default;
};

}  // namespace icefield::dataset
