#include "cli/grib_json.h"

#include <string>

#include <gtest/gtest.h>

namespace icefield::cli {
namespace {

constexpr std::uint8_t kMinute = 0;
constexpr std::uint8_t kHour = 1;
constexpr std::uint8_t kDay = 2;
constexpr std::uint8_t kThreeHours = 10;
constexpr std::uint8_t kSecond = 13;
constexpr std::uint8_t kMonth = 3;

struct StepCase {
  std::string name;
  grib::TimeSpan start;
  std::optional<grib::TimeSpan> length;
  std::string text;
};

class StepRange : public ::testing::TestWithParam<StepCase> {};

TEST_P(StepRange, is_written_as_eccodes_writes_it) {
  grib::Product product;
  product.forecast_time = GetParam().start;
  if (GetParam().length) {
    product.time_ranges.push_back({1, 2, *GetParam().length, {}});
  }
  EXPECT_EQ(step_range(product), GetParam().text);
}

// Texts are ecCodes 2.50's for the same octets.
INSTANTIATE_TEST_SUITE_P(
    , StepRange,
    ::testing::Values(StepCase{"hours", {kHour, 6}, {}, "6"}, StepCase{"zero", {kHour, 0}, {}, "0"},
                      StepCase{"minutes", {kMinute, 30}, {}, "30m"},
                      StepCase{"zero_minutes", {kMinute, 0}, {}, "0m"},
                      StepCase{"whole_hours_in_minutes", {kMinute, 120}, {}, "2"},
                      StepCase{"days", {kDay, 30}, {}, "720"},
                      StepCase{"three_hours", {kThreeHours, 2}, {}, "6"},
                      StepCase{"seconds", {kSecond, 90}, {}, "90s"},
                      StepCase{"minute_in_seconds", {kSecond, 60}, {}, "1m"},
                      StepCase{"range", {kHour, 6}, {{kHour, 6}}, "6-12"},
                      StepCase{"minute_range", {kMinute, 15}, {{kMinute, 15}}, "15m-30m"},
                      StepCase{"hour_range_in_minutes", {kMinute, 0}, {{kMinute, 60}}, "0-1"},
                      StepCase{"empty_range", {kMinute, 0}, {{kMinute, 0}}, "0m"},
                      StepCase{"empty_range_in_hours", {kMinute, 0}, {{kHour, 0}}, "0"},
                      StepCase{"empty_range_in_minutes", {kSecond, 0}, {{kMinute, 0}}, "0m"},
                      StepCase{"empty_range_in_seconds", {kSecond, 0}, {{kSecond, 0}}, "0s"},
                      StepCase{"empty_range_from_hours", {kHour, 0}, {{kSecond, 0}}, "0"},
                      StepCase{"before", {kHour, -6}, {}, "-6"},
                      StepCase{"month", {kMonth, 1}, {}, ""},
                      StepCase{"missing_length", {kHour, 24}, {{kHour, 0xFFFFFFFF}}, ""}),
    [](const auto& tested) { return tested.param.name; });

TEST(FieldJson, has_null_for_what_the_grid_lacks) {
  grib::Scan scan;
  grib::GridDefinition grid;
  grid.template_number = 101;
  grid.n_points = 6;
  scan.grids.push_back(grid);
  scan.fields.emplace_back();
  const auto text = field_json(scan, 0);
  EXPECT_NE(text.find("\"shape\":null,\"n_points\":6,\"scan_mode\":null,\"bitmap\":false"),
            std::string::npos)
      << text;
}

TEST(FieldJson, has_no_unit_for_step_0_of_edition_1) {
  grib::Scan scan;
  scan.grids.emplace_back();
  auto& field = scan.fields.emplace_back();
  field.edition = 1;
  field.identification.reference_time = core::Timestamp{};
  field.product.forecast_time = {kMinute, 0};
  EXPECT_NE(field_json(scan, 0).find("\"stepRange\":\"0\""), std::string::npos);
}

TEST(ReportedJson, names_the_place_and_the_reason) {
  const grib::Reported reported{203, 201, 1, 0, 4, 32000, "not \"known\""};
  EXPECT_EQ(reported_json(reported),
            "{\"offset\":203,\"length\":201,\"message\":1,\"submessage\":0,\"section\":4,"
            "\"template\":32000,\"reason\":\"not \\\"known\\\"\"}");
}

}  // namespace
}  // namespace icefield::cli
