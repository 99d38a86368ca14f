#include "dataset/time_axis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dataset/testing/teaching_spec.h"
#include "dataset/time_units.h"

namespace icefield::dataset {
namespace {

using teaching::kForecast;
using testing::HasSubstr;

core::Timestamp at(const std::string& text) {
  return *core::parse_timestamp(text);
}

TEST(TimeAxis, finds_positions_on_the_grid) {
  EXPECT_EQ(*position_of(kForecast, at("2020-01-01")), 0U);
  EXPECT_EQ(*position_of(kForecast, at("2020-01-02T18:00:00")), 7U);
  EXPECT_EQ(label_at(kForecast, 7), at("2020-01-02T18:00:00"));
}

TEST(TimeAxis, names_a_time_off_the_grid_and_its_neighbours) {
  const auto off = position_of(kForecast, at("2020-01-01T07:00:00"));
  ASSERT_FALSE(off);
  EXPECT_EQ(off.error().code(), core::ErrorCode::kInvalidArgument);
  for (const auto* part : {"2020-01-01T07:00:00", "2020-01-01T06:00:00", "2020-01-01T12:00:00"}) {
    EXPECT_THAT(off.error().message(), HasSubstr(part));
  }
  EXPECT_THAT(position_of(kForecast, at("2019-12-31")).error().message(),
              HasSubstr("starts at 2020-01-01T00:00:00"));
}

TEST(TimeAxis, counts_positions_before_an_end) {
  EXPECT_EQ(*append_size_until(kForecast, at("2020-01-02")), 4U);
  EXPECT_FALSE(append_size_until(kForecast, at("2020-01-01")));
  EXPECT_FALSE(append_size_until(kForecast, at("2020-01-01T01:00:00")));
  EXPECT_EQ(positions_before(kForecast, at("2020-01-01T06:00:01")), 2U);
  EXPECT_EQ(positions_before(kForecast, at("2020-01-01T06:00:00")), 1U);
  EXPECT_EQ(positions_before(kForecast, at("2010-01-01")), 0U);
}

TEST(TimeAxis, knows_the_forecast_length_of_an_era) {
  EXPECT_EQ(expected_forecast_length(kForecast, at("2020-01-01T18:00:00")), std::chrono::hours(6));
  EXPECT_EQ(expected_forecast_length(kForecast, at("2020-01-02")), std::chrono::hours(9));
}

/// ZARR-2: appending times
TEST(TimeUnits, zarr_2_refuses_a_time_that_does_not_survive_encoding) {
  const auto hours = parse_time_units("hours since 2020-01-01");
  ASSERT_TRUE(hours);
  for (const int hour : {0, 6, 12, 18}) {
    const auto stored = encode_time(*hours, at("2020-01-01") + std::chrono::hours(hour));
    EXPECT_EQ(*stored, hour);
    EXPECT_EQ(*decode_time(*hours, *stored), at("2020-01-01") + std::chrono::hours(hour));
  }
  const auto quarter = encode_time(*hours, at("2020-01-01T00:15:00"));
  ASSERT_FALSE(quarter);
  EXPECT_THAT(quarter.error().message(), HasSubstr("2020-01-01T00:15:00"));
}

TEST(TimeUnits, come_from_the_definition) {
  EXPECT_EQ(*parse_time_units("seconds since 1970-01-01"), TimeUnits{});
  EXPECT_EQ(*parse_time_units("seconds since 1970-01-01 00:00:00"), TimeUnits{});
  EXPECT_EQ(parse_time_units("days since 2000-01-01")->unit, std::chrono::days(1));
  for (const auto* text : {"", "seconds", "weeks since 2000-01-01", "seconds since then"}) {
    EXPECT_FALSE(parse_time_units(text)) << text;
  }
  EXPECT_FALSE(decode_time(TimeUnits{}, INT64_MAX));
  EXPECT_FALSE(decode_time({std::chrono::days(1), {}}, INT64_MIN));
}

}  // namespace
}  // namespace icefield::dataset
