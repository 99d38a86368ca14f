#include "grib/decode/bitmap.h"

#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "core/random.h"
#include "grib/decode/internal/unpack.h"

namespace icefield::grib {
namespace {

bool bit(std::span<const std::byte> bitmap, std::size_t at) {
  return (std::to_integer<unsigned>(bitmap[at / 8]) >> (7 - at % 8) & 1U) != 0;
}

template <typename T>
void check_spread(std::size_t n_points, unsigned density, std::uint64_t seed) {
  std::uint64_t state = seed;
  std::vector<std::byte> bitmap((n_points + 7) / 8);
  for (auto& octet : bitmap) {
    unsigned made = 0;
    for (int i = 0; i < 8; ++i)
      made = made << 1U | (core::splitmix64(state) % 8 < density ? 1U : 0U);
    octet = static_cast<std::byte>(made);
  }
  const std::uint64_t present = count_present(bitmap, n_points);
  std::vector<T> out(n_points);
  std::iota(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(present), T{1});
  ASSERT_TRUE(spread_over_bitmap(bitmap, present, std::span(out)));
  T next = 1;
  for (std::size_t i = 0; i < n_points; ++i) {
    if (bit(bitmap, i)) {
      ASSERT_EQ(out[i], next++) << i << " of " << n_points;
    } else {
      ASSERT_TRUE(std::isnan(out[i])) << i << " of " << n_points;
    }
  }
  EXPECT_EQ(next, static_cast<T>(present + 1));
}

TEST(Spread, gives_each_present_point_its_value_in_order) {
  for (const bool vectors : {true, false}) {
    allow_vectors(vectors);
    for (std::size_t n_points = 0; n_points < 70; ++n_points) {
      for (const unsigned density : {0U, 1U, 4U, 7U, 8U}) {
        check_spread<float>(n_points, density, n_points + density);
        check_spread<double>(n_points, density, n_points + density);
      }
    }
  }
  allow_vectors(true);
}

TEST(Spread, refuses_a_short_bitmap_and_too_few_values) {
  std::vector<float> out(9);
  const std::vector<std::byte> short_bitmap(1);
  EXPECT_EQ(spread_over_bitmap(short_bitmap, 9, std::span(out)).error().code(),
            core::ErrorCode::kCorrupt);
  const std::vector<std::byte> full(2, std::byte{0xFF});
  EXPECT_EQ(spread_over_bitmap(full, 8, std::span(out)).error().code(), core::ErrorCode::kCorrupt);
  EXPECT_TRUE(spread_over_bitmap(full, 9, std::span(out)));
}

TEST(CountPresent, stops_at_the_last_point) {
  const std::vector<std::byte> full(12, std::byte{0xFF});
  for (std::uint64_t n_points = 0; n_points <= 96; ++n_points) {
    EXPECT_EQ(count_present(full, n_points), n_points);
  }
  EXPECT_EQ(count_present(full, 1000), 96U);
}

}  // namespace
}  // namespace icefield::grib
