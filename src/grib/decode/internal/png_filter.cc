#include "grib/decode/internal/png_filter.h"

#include <algorithm>
#include <array>

namespace icefield::grib {
namespace {

/// `yes` when a <= b, else `no`, without a branch whatever the compiler thinks of it.
int choose_if_at_most(int a, int b, int yes, int no) {
  const int mask = (a - b - 1) >> 31;
  return no ^ ((yes ^ no) & mask);
}

/// Of left, above and corner the one nearest to left + above - corner, ties in that order.
/// Both distances that matter compare 3 * corner - left - above with the smaller and the greater of
/// left and above, so the choice needs no branch: it is as good as random.
int paeth(int left, int above, int corner) {
  const int turned = 3 * corner - above - left;
  const int smaller = std::min(left, above);
  const int greater = std::max(left, above);
  const int or_corner = choose_if_at_most(greater, turned, smaller, corner);
  return choose_if_at_most(turned, smaller, greater, or_corner);
}

/// One row whose pixels come one after another.
template <std::size_t kStep>
struct PaethRow {
  std::uint8_t* to = nullptr;
  std::array<int, kStep> left = {};
  std::array<int, kStep> corner = {};

  /// `above`: octet j of the pixel above. Gives octet j of this pixel.
  int undo(std::size_t i, std::size_t j, int above) {
    left[j] = (to[i + j] + paeth(left[j], above, corner[j])) & 0xFF;
    to[i + j] = static_cast<std::uint8_t>(left[j]);
    corner[j] = above;
    return left[j];
  }
};

template <std::size_t kStep>
void undo_paeth(std::span<std::uint8_t> row, std::span<const std::uint8_t> above) {
  PaethRow<kStep> lower{.to = row.data()};
  for (std::size_t i = 0; i + kStep <= row.size(); i += kStep) {
    for (std::size_t j = 0; j < kStep; ++j) lower.undo(i, j, above[i + j]);
  }
}

/// Two rows in one go, the second a pixel behind the first: each pixel waits for the one before it
/// in its own row only, so the two chains run side by side.
template <std::size_t kStep>
void undo_paeth_pair(std::span<std::uint8_t> first, std::span<std::uint8_t> second,
                     std::span<const std::uint8_t> above) {
  PaethRow<kStep> upper{.to = first.data()};
  PaethRow<kStep> lower{.to = second.data()};
  const std::uint8_t* const from = above.data();
  std::size_t i = 0;
  for (; i + kStep <= first.size(); i += kStep) {
    for (std::size_t j = 0; j < kStep; ++j) {
      const int before = upper.left[j];
      upper.undo(i, j, from[i + j]);
      if (i > 0) lower.undo(i - kStep, j, before);
    }
  }
  for (std::size_t j = 0; i > 0 && j < kStep; ++j) lower.undo(i - kStep, j, upper.left[j]);
}

void undo_paeth_any(std::size_t step, std::span<std::uint8_t> row,
                    std::span<const std::uint8_t> above) {
  switch (step) {
    case 1:
      return undo_paeth<1>(row, above);
    case 2:
      return undo_paeth<2>(row, above);
    case 3:
      return undo_paeth<3>(row, above);
    default:
      return undo_paeth<4>(row, above);
  }
}

}  // namespace

void undo_png_paeth_pair(std::size_t step, std::span<std::uint8_t> first,
                         std::span<std::uint8_t> second, std::span<const std::uint8_t> above) {
  switch (step) {
    case 1:
      return undo_paeth_pair<1>(first, second, above);
    case 2:
      return undo_paeth_pair<2>(first, second, above);
    case 3:
      return undo_paeth_pair<3>(first, second, above);
    default:
      return undo_paeth_pair<4>(first, second, above);
  }
}

bool undo_png_filter(unsigned filter, std::size_t step, std::span<std::uint8_t> row,
                     std::span<const std::uint8_t> above) {
  const std::size_t n = row.size();
  switch (filter) {
    case 0:
      return true;
    case 1:
      for (std::size_t i = step; i < n; ++i) row[i] += row[i - step];
      return true;
    case 2:
      for (std::size_t i = 0; i < n; ++i) row[i] += above[i];
      return true;
    case 3:
      for (std::size_t i = 0; i < n; ++i) {
        const unsigned left = i < step ? 0U : row[i - step];
        row[i] += static_cast<std::uint8_t>((left + above[i]) / 2U);
      }
      return true;
    case 4:
      undo_paeth_any(step, row, above);
      return true;
    default:
      return false;
  }
}

}  // namespace icefield::grib
