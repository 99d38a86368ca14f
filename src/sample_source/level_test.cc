#include "sample_source/level.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace icefield::sample_source {
namespace {

struct LevelCase {
  std::string text;
  Level expected;
};

class Levels : public testing::TestWithParam<LevelCase> {};

TEST_P(Levels, become_the_surfaces_of_code_table_4_5) {
  const auto level = parse_level(GetParam().text);
  ASSERT_TRUE(level) << level.error().message();
  EXPECT_EQ(*level, GetParam().expected);
}

// columns: inventory text, {first: type, scale factor, scaled value}, second
INSTANTIATE_TEST_SUITE_P(
    , Levels,
    testing::Values(
        LevelCase{"surface", {{1, 0, 0}, {}}}, LevelCase{"mean sea level", {{101, 0, 0}, {}}},
        LevelCase{"entire atmosphere", {{10, 0, 0}, {}}},
        LevelCase{"entire atmosphere (considered as a single layer)", {{200, 0, 0}, {}}},
        LevelCase{"2 m above ground", {{103, 0, 2}, {}}},
        LevelCase{"0-6000 m above ground", {{103, 0, 0}, {103, 0, 6000}}},
        LevelCase{"5000-2000 m above ground", {{103, 0, 5000}, {103, 0, 2000}}},
        LevelCase{"850 mb", {{100, 0, 85000}, {}}}, LevelCase{"1013.2 mb", {{100, 0, 101320}, {}}},
        LevelCase{"500-1000 mb", {{100, 0, 50000}, {100, 0, 100000}}},
        LevelCase{"180-0 mb above ground", {{108, 0, 18000}, {108, 0, 0}}},
        LevelCase{"0.1 sigma level", {{104, 1, 1}, {}}},
        LevelCase{"0.5-0.8 sigma layer", {{104, 1, 5}, {104, 1, 8}}},
        LevelCase{"0 m underground", {{106, 0, 0}, {}}},
        LevelCase{"50 hybrid level", {{105, 0, 50}, {}}},
        LevelCase{"263 K level", {{20, 0, 263}, {}}},
        LevelCase{"261 K level - 256 K level", {{20, 0, 261}, {20, 0, 256}}}));

class NoLevels : public testing::TestWithParam<const char*> {};

TEST_P(NoLevels, are_refused) {
  EXPECT_FALSE(parse_level(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(, NoLevels,
                         testing::Values("", "nowhere", "mb", "x mb", "1.2345 mb", "10- mb",
                                         "-5 mb", "5. mb", "99999999999 mb", "261 K level - ",
                                         "2 m above ground - surface"));

}  // namespace
}  // namespace icefield::sample_source
