#include "grib/decode/run_length_packing.h"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace icefield::grib {
namespace {

std::vector<std::byte> bytes(std::initializer_list<int> values) {
  std::vector<std::byte> made;
  for (const int value : values) made.push_back(static_cast<std::byte>(value));
  return made;
}

// Levels up to 2 in 8 bits: 3 is the digit 0 of a run, and digits are to base 253.
RunLengthPacking packing() {
  return {.bits_per_value = 8, .max_level = 2, .decimal_scale = 1, .levels = {10, 25}};
}

struct RunCase {
  std::string name;
  std::vector<std::byte> data;
  std::vector<double> expected;  // -1 stands for missing
};

class Runs : public ::testing::TestWithParam<RunCase> {};

TEST_P(Runs, fill_the_points) {
  std::vector<double> out(GetParam().expected.size());
  const auto status = decode_packed(packing(), GetParam().data, std::span(out));
  ASSERT_TRUE(status) << status.error().message();
  for (double& value : out) value = std::isnan(value) ? -1 : value;
  EXPECT_EQ(out, GetParam().expected);
}

std::vector<double> many(std::size_t n, double value) {
  return std::vector<double>(n, value);
}

INSTANTIATE_TEST_SUITE_P(
    , Runs,
    ::testing::Values(RunCase{"single_points", bytes({1, 2, 0, 1}), {1, 2.5, -1, 1}},
                      RunCase{"a_run_of_three", bytes({2, 5, 1}), {2.5, 2.5, 2.5, 1}},
                      RunCase{"a_run_of_missing_points", bytes({0, 4, 1}), {-1, -1, 1}},
                      RunCase{"two_digits", bytes({1, 4, 4}), many(1 + 1 + 253, 1)},
                      RunCase{"more_data_than_points", bytes({1, 2, 1}), {1}}),
    [](const auto& tested) { return tested.param.name; });

TEST(RunsWithoutLevels, all_points_are_missing_without_levels) {
  std::vector<float> out(4, 1);
  ASSERT_TRUE(
      decode_packed(RunLengthPacking{.bits_per_value = 8, .levels = {}}, {}, std::span(out)));
  for (const float value : out) EXPECT_TRUE(std::isnan(value));
}

TEST(WideRuns, have_digits_to_a_greater_base) {
  const RunLengthPacking wide{.bits_per_value = 24, .max_level = 1, .levels = {7}};
  std::vector<double> out(4);
  // level 1, digit 2 to base 2^24 - 2: three points; level 1 once more
  ASSERT_TRUE(decode_packed(wide, bytes({0, 0, 1, 0, 0, 4, 0, 0, 1}), std::span(out)));
  EXPECT_EQ(out, many(4, 7));
}

class BrokenRuns : public ::testing::TestWithParam<RunCase> {};

TEST_P(BrokenRuns, are_corrupt) {
  std::vector<double> out(5);
  const auto status = decode_packed(packing(), GetParam().data, std::span(out));
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code(), core::ErrorCode::kCorrupt);
}

INSTANTIATE_TEST_SUITE_P(
    , BrokenRuns,
    ::testing::Values(RunCase{"too_few", bytes({1, 2}), {}},
                      RunCase{"past_the_last_point", bytes({1, 9}), {}},
                      RunCase{"a_digit_without_level", bytes({3, 1, 1, 1, 1}), {}},
                      RunCase{"a_length_beyond_64_bits",
                              bytes({1, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255}),
                              {}}),
    [](const auto& tested) { return tested.param.name; });

TEST(BrokenLevels, level_without_value_is_corrupt) {
  std::vector<double> out(1);
  const RunLengthPacking few{.bits_per_value = 8, .max_level = 2, .levels = {10}};
  EXPECT_FALSE(decode_packed(few, bytes({2}), std::span(out)));
}

}  // namespace
}  // namespace icefield::grib
