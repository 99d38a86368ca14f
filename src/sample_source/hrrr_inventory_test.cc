// The whole table of the HRRR dataset against the provider's own inventories.
#include <chrono>
#include <filesystem>
#include <limits>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "core/file.h"
#include "core/text.h"
#include "datasets/all_datasets.h"
#include "sample_source/inventory.h"
#include "sample_source/level.h"
#include "sample_source/quantity.h"

namespace icefield::sample_source {
namespace {

const dataset::DatasetSpec& hrrr() {
  return **datasets::find_dataset("noaa-hrrr-forecast-48-hour-virtual");
}

std::vector<Record> everything(std::uint8_t file_type, int lead_hour) {
  constexpr auto kAll = std::numeric_limits<std::size_t>::max();
  const auto& provider = *find_provider(hrrr().id);
  return list_records(hrrr(), provider,
                      {.append = *core::parse_timestamp("2025-08-01"),
                       .lead = std::chrono::hours(lead_hour),
                       .file_type = file_type},
                      {.variables = *select_sample_variables(hrrr(), provider, {"all"}),
                       .levels = kAll,
                       .extra_messages = kAll});
}

class SurfaceFile : public testing::TestWithParam<const char*> {};

TEST_P(SurfaceFile, has_exactly_the_messages_of_the_providers_index) {
  const auto index =
      core::read_file(std::filesystem::path(ICEFIELD_SOURCE_DIR) / "tests/golden/grib" /
                      core::text("idx_hrrr.t00z.wrfsfcf", GetParam(), ".grib2.idx"));
  ASSERT_TRUE(index);
  std::set<std::string> expected;
  for (const auto& line : core::split(core::as_text(*index), '\n')) {
    const auto words = core::split(line, ':');
    if (words.size() >= 6) expected.insert(core::text(words[3], ":", words[4], ":", words[5]));
  }
  std::set<std::string> found;
  for (const auto& record : everything(0, std::stoi(GetParam()))) {
    found.insert(core::text(record.element, ":", record.level, ":", window_text(record)));
  }
  EXPECT_EQ(found, expected);
}

INSTANTIATE_TEST_SUITE_P(, SurfaceFile, testing::Values("00", "08", "24"));

TEST(HrrrInventory, has_a_grib_coding_for_every_message_of_every_file_type) {
  std::size_t messages = 0;
  for (std::uint8_t type = 0; type < 3; ++type) {
    for (const auto& record : everything(type, 1)) {
      const auto quantity = find_quantity(record.element, record.level);
      EXPECT_TRUE(quantity) << record.element << " " << record.level;
      const auto level = parse_level(record.level);
      EXPECT_TRUE(level) << record.level;
      ++messages;
    }
  }
  // 170 in the surface file, 14 variables on 39 levels, 20 on 50, and 18 and 6 extra messages
  EXPECT_EQ(messages, 1740U);
}

TEST(HrrrInventory, has_at_least_three_variables_of_each_file_type_by_default) {
  const auto few = select_sample_variables(hrrr(), *find_provider(hrrr().id), {});
  ASSERT_TRUE(few) << few.error().message();
  std::vector<std::size_t> count(3);
  for (const auto index : *few) ++count.at(hrrr().variables[index].source.file_type);
  for (const std::size_t variables : count) EXPECT_GE(variables, 3U);
}

}  // namespace
}  // namespace icefield::sample_source
