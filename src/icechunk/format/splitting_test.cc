#include "icechunk/format/splitting.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace icefield::icechunk {
namespace {

using core::Json;
using Sizes = std::vector<std::uint32_t>;

constexpr std::uint32_t kWhole = 4294967295;

struct SizesCase {
  std::string name;
  std::string rules;  // manifest.splitting
  std::string path;
  Sizes expected;  // for 100 x 10 chunks, dimensions "time" and without name
};

class SplitSizes : public testing::TestWithParam<SizesCase> {};
TEST_P(SplitSizes, follow_the_first_rule_that_settles_an_axis) {
  const auto json = Json::parse(GetParam().rules);
  ASSERT_TRUE(json) << json.error().message();
  const auto rules = splitting_from_json(*json);
  ASSERT_TRUE(rules) << rules.error().message();
  const ArrayData array{.shape = {{1000, 100}, {50, 10}},
                        .dimension_names = {{"time", std::nullopt}}};
  EXPECT_EQ(Splitter(*rules).windows(GetParam().path, array).sizes, GetParam().expected);
  EXPECT_EQ(splitting_to_json(*rules).dump(), json->dump());
}

INSTANTIATE_TEST_SUITE_P(
    , SplitSizes,
    testing::Values(
        SizesCase{"any_array_any_axis",
                  R"({"split_sizes":[["any_array",[{"condition":"Any","num_chunks":3}]]]})",
                  "/a",
                  {3, 3}},
        SizesCase{"axis_by_number",
                  R"({"split_sizes":[["any_array",[{"condition":{"Axis":0},"num_chunks":7}]]]})",
                  "/a",
                  {7, kWhole}},
        SizesCase{
            "axis_by_name_never_matches_an_unnamed_one",
            R"({"split_sizes":[["any_array",[{"condition":{"DimensionName":".*"},"num_chunks":7}]]]})",
            "/a",
            {7, kWhole}},
        SizesCase{
            "name_is_searched_not_anchored",
            R"({"split_sizes":[["any_array",[{"condition":{"DimensionName":"im"},"num_chunks":7}]]]})",
            "/a",
            {7, kWhole}},
        SizesCase{
            "first_size_of_a_rule_wins",
            R"({"split_sizes":[["any_array",[{"condition":"Any","num_chunks":2},{"condition":{"Axis":0},"num_chunks":9}]]]})",
            "/a",
            {2, 2}},
        SizesCase{
            "later_rules_settle_what_earlier_left",
            R"({"split_sizes":[[{"path_matches":{"regex":"^/g/"}},[{"condition":{"Axis":1},"num_chunks":4}]],["any_array",[{"condition":"Any","num_chunks":8}]]]})",
            "/g/a",
            {8, 4}},
        SizesCase{
            "path_that_does_not_match",
            R"({"split_sizes":[[{"path_matches":{"regex":"^/g/"}},[{"condition":{"Axis":1},"num_chunks":4}]],["any_array",[{"condition":"Any","num_chunks":8}]]]})",
            "/h/a",
            {8, 8}},
        SizesCase{
            "name_matches_the_last_segment",
            R"({"split_sizes":[[{"name_matches":{"regex":"^a$"}},[{"condition":"Any","num_chunks":5}]]]})",
            "/g/a",
            {5, 5}},
        SizesCase{
            "or_and",
            R"({"split_sizes":[[{"and":[{"or":[{"name_matches":{"regex":"x"}},"any_array"]},{"path_matches":{"regex":"g"}}]},[{"condition":"Any","num_chunks":5}]]]})",
            "/g/a",
            {5, 5}},
        SizesCase{
            "regex_that_does_not_compile_never_matches",
            R"x({"split_sizes":[[{"path_matches":{"regex":"(?=a)"}},[{"condition":"Any","num_chunks":5}]]]})x",
            "/a",
            {kWhole, kWhole}},
        SizesCase{"no_rules", R"({"split_sizes":[]})", "/a", {kWhole, kWhole}}),
    [](const auto& tested) { return tested.param.name; });

TEST(Splitting, refuses_what_official_readers_could_not_read) {
  for (const char* bad :
       {R"({"split_sizes":1})", R"({"split_sizes":[[]]})", R"({"split_sizes":[["any",[]]]})",
        R"({"split_sizes":[["any_array",[{"condition":"any","num_chunks":1}]]]})",
        R"({"split_sizes":[["any_array",[{"condition":"Any"}]]]})",
        R"({"split_sizes":[["any_array",[{"condition":"Any","num_chunks":4294967296}]]]})",
        R"({"split_sizes":[[{"path_matches":{}},[]]]})"})
    EXPECT_FALSE(splitting_from_json(*Json::parse(bad))) << bad;
}

TEST(Windows, cover_the_grid_row_by_row) {
  const Windows windows{.num_chunks = {10, 5}, .sizes = {3, 4}};
  ASSERT_EQ(windows.count(), 8U);
  EXPECT_EQ(windows.box(0), (ChunkBox{{0, 3}, {0, 4}}));
  EXPECT_EQ(windows.box(1), (ChunkBox{{0, 3}, {4, 5}}));
  EXPECT_EQ(windows.box(7), (ChunkBox{{9, 10}, {4, 5}}));
  for (std::uint32_t i = 0; i < 10; ++i) {
    for (std::uint32_t j = 0; j < 5; ++j) {
      const std::vector index{i, j};
      EXPECT_TRUE(windows.box(windows.number_of(index)).contains(index));
    }
  }
}

TEST(Windows, of_scalars_and_empty_arrays) {
  const Windows scalar;
  EXPECT_EQ(scalar.count(), 1U);
  EXPECT_EQ(scalar.number_of({}), 0U);
  EXPECT_EQ(scalar.box(0), ChunkBox());
  const Windows empty{.num_chunks = {10, 0}, .sizes = {3, 3}};
  EXPECT_EQ(empty.count(), 0U);
}

}  // namespace
}  // namespace icefield::icechunk
