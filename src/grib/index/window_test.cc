#include "grib/index/window.h"

#include <string>

#include <gtest/gtest.h>

namespace icefield::grib {
namespace {

using enum Statistic;

struct LabelCase {
  std::string name;
  std::string label;
  Window window;
  LabelUnit unit = LabelUnit::kHour;
};

class Label : public ::testing::TestWithParam<LabelCase> {};

TEST_P(Label, is_read_as_numbers_and_written_back) {
  const auto window = parse_window(GetParam().label);
  ASSERT_TRUE(window) << window.error().message();
  EXPECT_EQ(*window, GetParam().window);
  EXPECT_EQ(format_window(*window, GetParam().unit), GetParam().label);
}

// columns: name, label, {start, end in minutes, statistic}, unit
INSTANTIATE_TEST_SUITE_P(
    , Label,
    ::testing::Values(
        LabelCase{"analysis", "anl", {0, 0, kInstant}},
        LabelCase{"hours", "8 hour fcst", {480, 480, kInstant}},
        LabelCase{"days_of_hours", "432 hour fcst", {25920, 25920, kInstant}},
        LabelCase{"before_the_reference", "-6 hour fcst", {-360, -360, kInstant}},
        LabelCase{"minutes", "15 min fcst", {15, 15, kInstant}},
        LabelCase{"sixty_minutes", "60 min fcst", {60, 60, kInstant}, LabelUnit::kMinute},
        LabelCase{"bucket", "7-8 hour acc fcst", {420, 480, kAccumulation}},
        LabelCase{"run_total", "0-8 hour acc fcst", {0, 480, kAccumulation}},
        LabelCase{"first_day", "0-1 day acc fcst", {0, 1440, kAccumulation}},
        LabelCase{"second_day", "1-2 day max fcst", {1440, 2880, kMaximum}},
        LabelCase{"hour_zero", "0-0 day acc fcst", {0, 0, kAccumulation}},
        LabelCase{"average", "18-24 hour ave fcst", {1080, 1440, kAverage}},
        LabelCase{"minimum", "234-240 hour min fcst", {14040, 14400, kMinimum}},
        LabelCase{"minute_window", "15-30 min ave fcst", {15, 30, kAverage}},
        LabelCase{"before_and_after", "-6-6 hour acc fcst", {-360, 360, kAccumulation}},
        LabelCase{"wholly_before", "-6--3 hour acc fcst", {-360, -180, kAccumulation}},
        LabelCase{"difference", "0-6 hour last-first fcst", {0, 360, kDifference}},
        LabelCase{"reversed_difference", "0-6 hour first-last fcst", {0, 360, kReversedDifference}},
        LabelCase{"deviation", "0-6 hour StdDev fcst", {0, 360, kStandardDeviation}},
        LabelCase{"root_mean_square", "0-6 hour RMS fcst", {0, 360, kRootMeanSquare}},
        LabelCase{"covariance", "0-6 hour covar fcst", {0, 360, kCovariance}},
        LabelCase{"ratio", "0-6 hour ratio fcst", {0, 360, kRatio}},
        LabelCase{"no_statistic", "0-6 hour fcst", {0, 360, kUnspecified}}),
    [](const auto& tested) { return tested.param.name; });

TEST(LabelSpelling, does_not_change_the_window) {
  const std::pair<const char*, const char*> equal[] = {
      {"0-1 day acc fcst", "0-24 hour acc fcst"},
      {"1 day fcst", "24 hour fcst"},
      {"0 hour fcst", "anl"},
      {"60-120 min ave fcst", "1-2 hour ave fcst"},
      {"0-6 hour acc anl", "0-6 hour acc fcst"},
      {"0-6 hour acc", "0-6 hour acc fcst"},
      {"0-3600 sec max fcst", "0-1 hour max fcst"},
  };
  for (const auto& [left, right] : equal) {
    const auto one = parse_window(left);
    const auto other = parse_window(right);
    ASSERT_TRUE(one) << left;
    ASSERT_TRUE(other) << right;
    EXPECT_EQ(*one, *other) << left;
  }
}

TEST(LabelErrors, name_the_label) {
  for (const auto* label : {"", "fcst", "x hour fcst", "6 hours fcst", "6-0 hour acc fcst",
                            "6 hour", "0-6 hour sum fcst", "99999999999 hour fcst",
                            "6- hour acc fcst", "6 hour acc fcst", "anl "}) {
    const auto window = parse_window(label);
    ASSERT_FALSE(window) << label;
    EXPECT_EQ(window.error().code(), core::ErrorCode::kCorrupt) << label;
    EXPECT_NE(window.error().message().find(label), std::string::npos);
  }
  for (const auto* label : {"1 month fcst", "0-1 month ave fcst", "0-90 sec max fcst",
                            "124@6 hour ave(anl)", "0-6 hour ave(fcst)", "2147483647 day fcst"}) {
    const auto window = parse_window(label);
    ASSERT_FALSE(window) << label;
    EXPECT_EQ(window.error().code(), core::ErrorCode::kUnsupported) << label;
  }
}

struct ResetCase {
  std::string name;
  std::int32_t lead_hours;
  std::optional<std::int32_t> reset_hours;
  std::string label;
};

class Reset : public ::testing::TestWithParam<ResetCase> {};

TEST_P(Reset, starts_at_the_last_multiple_before_the_lead) {
  const auto window =
      window_since_reset(GetParam().lead_hours, GetParam().reset_hours, kAccumulation);
  EXPECT_EQ(format_window(window), GetParam().label);
}

INSTANTIATE_TEST_SUITE_P(
    , Reset,
    ::testing::Values(ResetCase{"hour_zero", 0, 6, "0-0 day acc fcst"},
                      ResetCase{"inside", 8, 6, "6-8 hour acc fcst"},
                      ResetCase{"at_a_reset", 12, 6, "6-12 hour acc fcst"},
                      ResetCase{"at_a_day", 24, 6, "18-24 hour acc fcst"},
                      ResetCase{"whole_day", 24, 24, "0-1 day acc fcst"},
                      ResetCase{"never_reset", 11, std::nullopt, "0-11 hour acc fcst"},
                      ResetCase{"never_reset_two_days", 48, std::nullopt, "0-2 day acc fcst"},
                      ResetCase{"hourly", 1, 1, "0-1 hour acc fcst"}),
    [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace icefield::grib
