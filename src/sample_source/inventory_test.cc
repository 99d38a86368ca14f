#include "sample_source/inventory.h"

#include <chrono>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/text.h"
#include "sample_source/testing/small_dataset.h"

namespace icefield::sample_source {
namespace {

using testing::ElementsAre;

/// "element:level:window" of each message of one file.
std::vector<std::string> lines(std::uint8_t file_type, int lead_hour, const Selection& selection) {
  const auto& spec = small_dataset();
  std::vector<std::string> found;
  for (const auto& record : list_records(spec, *find_provider(spec.id),
                                         {.append = spec.append_start,
                                         .lead = std::chrono::hours(lead_hour),
                                         .file_type = file_type},
                                         selection)) {
    found.push_back(core::text(record.element, ":", record.level, ":", window_text(record)));
  }
  return found;
}

const std::vector<dataset::VariableIndex> kAll = {0, 1, 2, 3, 4, 5, 6, 7, 8};

TEST(Inventory, has_hourly_and_running_windows_side_by_side) {
  EXPECT_THAT(lines(0, 8, {.variables = {3, 4, 5}}),
              ElementsAre("APCP:surface:7-8 hour acc fcst", "APCP:surface:0-8 hour acc fcst",
                          "MAXUVV:100-1000 mb above ground:7-8 hour max fcst"));
}

TEST(Inventory, has_one_message_where_both_windows_coincide) {
  EXPECT_THAT(lines(0, 1, {.variables = {3, 4}}), ElementsAre("APCP:surface:0-1 hour acc fcst"));
}

TEST(Inventory, has_messages_at_hour_0_that_no_variable_uses) {
  EXPECT_THAT(
      lines(0, 0, {.variables = {0, 4, 5, 7}}),
      ElementsAre("REFC:entire atmosphere:anl", "APCP:surface:0-0 day acc fcst",
                  "MAXUVV:100-1000 mb above ground:0-0 day max fcst", "MSTAV:0 m underground:anl"));
}

TEST(Inventory, has_one_message_per_selected_level) {
  EXPECT_THAT(lines(1, 3, {.variables = kAll, .levels = 2}),
              ElementsAre("TMP:1000 mb:3 hour fcst", "TMP:500 mb:3 hour fcst"));
}

TEST(Inventory, spreads_extra_messages_from_the_first_place_to_the_last) {
  EXPECT_THAT(lines(1, 0, {.variables = kAll, .levels = 9, .extra_messages = 2}),
              ElementsAre("TMP:1013.2 mb:anl", "TMP:1000 mb:anl", "TMP:850 mb:anl",
                          "TMP:500 mb:anl", "REFC:entire atmosphere:anl"));
}

TEST(Inventory, has_each_message_once) {
  const auto all = lines(0, 8, {.variables = kAll, .levels = 9, .extra_messages = 999});
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), all.size());
  EXPECT_GT(all.size(), 10U);
}

TEST(SampleVariables, always_hold_the_one_that_stands_for_each_file_type) {
  const auto& spec = small_dataset();
  const auto& provider = *find_provider(spec.id);
  const auto selected = select_sample_variables(spec, provider, {"ceiling", "wind"});
  ASSERT_TRUE(selected) << selected.error().message();
  EXPECT_THAT(*selected, ElementsAre(0, 2, 6, 8));
  const auto all = select_sample_variables(spec, provider, {"all"});
  ASSERT_TRUE(all);
  EXPECT_EQ(*all, kAll);
}

TEST(SampleVariables, that_the_dataset_does_not_have_are_named) {
  const auto& spec = small_dataset();
  const auto selected =
      select_sample_variables(spec, *find_provider(spec.id), {"wind", "no_such_thing"});
  ASSERT_FALSE(selected);
  EXPECT_EQ(selected.error().code(), core::ErrorCode::kInvalidArgument);
  EXPECT_NE(selected.error().message().find("no_such_thing"), std::string::npos);
}

TEST(SpreadLevels, take_the_first_and_the_last) {
  EXPECT_THAT(spread_levels(39, 3), ElementsAre(0, 19, 38));
  EXPECT_THAT(spread_levels(39, 1), ElementsAre(0));
  EXPECT_THAT(spread_levels(3, 99), ElementsAre(0, 1, 2));
  EXPECT_THAT(spread_levels(0, 3), ElementsAre());
}

}  // namespace
}  // namespace icefield::sample_source
