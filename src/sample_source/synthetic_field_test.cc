#include "sample_source/synthetic_field.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace icefield::sample_source {
namespace {

TEST(SineQ15, is_the_sine_all_around_the_circle) {
  for (std::uint64_t angle = 0; angle < (std::uint64_t{1} << 32U); angle += 12345678) {
    const double radians = static_cast<double>(angle) / 4294967296.0 * 2 * std::numbers::pi;
    EXPECT_NEAR(sine_q15(static_cast<std::uint32_t>(angle)), std::sin(radians) * 32768, 12)
        << angle;
  }
}

TEST(SyntheticField, runs_smoothly_over_its_span_and_never_leaves_it) {
  const GridShape shape{.columns = 599, .rows = 353};
  for (const std::int32_t span : {1, 19, 400, 8192}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      std::vector<std::int32_t> field(shape.points());
      SyntheticField(seed, 3).fill(shape, span, field);
      const auto [low, high] = std::ranges::minmax(field);
      EXPECT_GE(low, 0);
      EXPECT_LE(high, span);
      EXPECT_GE(high - low, span / 2) << "seed " << seed;
      // the shortest wave has 7 turns in 599 points and an eighth of the span
      for (std::size_t i = 1; i < shape.columns; ++i) {
        ASSERT_LE(std::abs(field[i] - field[i - 1]), span / 16 + 1) << "seed " << seed;
      }
    }
  }
}

TEST(SyntheticField, differs_with_its_seed_and_its_hour) {
  const GridShape shape{.columns = 90, .rows = 50};
  std::set<std::vector<std::int32_t>> fields;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (std::uint32_t hour = 0; hour < 49; ++hour) {
      std::vector<std::int32_t> field(shape.points());
      SyntheticField(seed, hour).fill(shape, 400, field);
      fields.insert(std::move(field));
    }
  }
  EXPECT_EQ(fields.size(), 490U);
}

TEST(SyntheticField, is_the_same_on_every_machine) {
  const GridShape shape{.columns = 5, .rows = 3};
  std::vector<std::int32_t> field(shape.points());
  SyntheticField(seed_from(1, "TMP|surface"), 6).fill(shape, 1000, field);
  // worked out once with Python's unbounded integers from the formulas in synthetic_field.h
  const std::vector<std::int32_t> expected = {636, 259, 589, 454, 247, 344, 713, 278,
                                              557, 531, 631, 350, 691, 481, 504};
  EXPECT_EQ(field, expected);
}

}  // namespace
}  // namespace icefield::sample_source
