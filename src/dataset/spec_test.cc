#include "dataset/spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dataset/testing/teaching_spec.h"

namespace icefield::dataset {
namespace {

using teaching::kForecast;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Spec, names_variables_by_group_and_name) {
  EXPECT_EQ(path_of(kForecast, kForecast.variables[0]), "rain_surface");
  EXPECT_EQ(path_of(kForecast, kForecast.variables[2]), "pressure_level/temperature");
  EXPECT_EQ(level_position(kForecast.groups[0]), std::nullopt);
  EXPECT_EQ(level_position(kForecast.groups[1]), 4U);
}

TEST(Spec, joins_lead_runs_and_counts_borders_once) {
  const Dimension& lead = kForecast.dimensions[1];
  EXPECT_THAT(labels_of(kForecast, lead, 0), ElementsAre(0, 3600, 7200, 10800, 21600, 32400));
  EXPECT_EQ(length_of(lead), 6U);
}

TEST(Spec, labels_the_append_dimension_in_seconds) {
  EXPECT_THAT(labels_of(kForecast, kForecast.dimensions[0], 2),
              ElementsAre(1577836800, 1577858400));
}

TEST(Spec, selects_variables_by_name_or_path) {
  EXPECT_THAT(*select_variables(kForecast, {}), ElementsAre(0, 1, 2));
  const std::vector<std::string> some = {"temperature", "rain_surface", "temperature"};
  EXPECT_THAT(*select_variables(kForecast, some), ElementsAre(0, 2));
  const std::vector<std::string> path = {"pressure_level/temperature"};
  EXPECT_THAT(*select_variables(kForecast, path), ElementsAre(2));
}

TEST(Spec, names_every_unknown_variable) {
  const std::vector<std::string> names = {"wind_2m", "snow", "model_level/temperature"};
  const auto selected = select_variables(kForecast, names);
  ASSERT_FALSE(selected);
  EXPECT_EQ(selected.error().code(), core::ErrorCode::kInvalidArgument);
  EXPECT_THAT(selected.error().message(), HasSubstr("'snow', 'model_level/temperature'"));
}

TEST(Spec, gives_lead_0_to_instantaneous_variables) {
  EXPECT_FALSE(has_hour_0_values(kForecast, kForecast.variables[0]));
  EXPECT_TRUE(has_hour_0_values(kForecast, kForecast.variables[1]));
  DatasetSpec spec = kForecast;
  spec.hour_zero = HourZeroRule::kAllButMinMax;
  EXPECT_TRUE(has_hour_0_values(spec, kForecast.variables[0]));
  Variable overridden = kForecast.variables[1];
  overridden.options.hour_0 = false;
  EXPECT_FALSE(has_hour_0_values(spec, overridden));
}

TEST(Spec, keeps_append_coordinates_in_one_chunk_for_years) {
  // published datasets: 48 h HRRR 32120, 18 h HRRR 192720; here 365 days * 20 years / 6 h
  EXPECT_EQ(append_coordinate_chunk(kForecast), 29200U);
  DatasetSpec spec = kForecast;
  spec.append_start = std::chrono::sys_days(std::chrono::year(2018) / 7 / 13);
  EXPECT_EQ(append_coordinate_chunk(spec), 32120U);
  spec.append_every = std::chrono::hours(1);
  EXPECT_EQ(append_coordinate_chunk(spec), 192720U);
  spec.append_coordinate_chunk = 7;
  EXPECT_EQ(append_coordinate_chunk(spec), 7U);
}

/// Each change breaks one rule that the compiler checks.
TEST(WellFormed, refuses_contradictions) {
  constexpr auto kBroken = [](auto change) {
    DatasetSpec spec = kForecast;
    change(spec);
    return !(identity_well_formed(spec) && dimensions_well_formed(spec) &&
             groups_well_formed(spec) && coordinates_well_formed(spec) &&
             variables_well_formed(spec) && virtual_well_formed(spec));
  };
  static_assert(!kBroken([](DatasetSpec&) {}));
  static_assert(kBroken([](DatasetSpec& spec) { spec.id = "under_score"; }));
  static_assert(kBroken([](DatasetSpec& spec) { spec.append_every = core::Seconds{0}; }));
  static_assert(kBroken([](DatasetSpec& spec) { spec.version = ""; }));
  static_assert(kBroken([](DatasetSpec& spec) { spec.dimensions = spec.dimensions.first(3); }));
  static_assert(kBroken([](DatasetSpec& spec) { spec.groups = spec.groups.first(1); }));
  static_assert(kBroken([](DatasetSpec& spec) { spec.variables = spec.variables.first(2); }));
  static_assert(kBroken([](DatasetSpec& spec) { spec.coordinates = spec.coordinates.first(4); }));
}

}  // namespace
}  // namespace icefield::dataset
