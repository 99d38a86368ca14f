#include "dataset/update_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dataset/testing/teaching_spec.h"

namespace icefield::dataset {
namespace {

using teaching::kForecast;

core::Timestamp at(const char* text) {
  return *core::parse_timestamp(text);
}

// The teaching forecast starts at 2020-01-01T00, every 6 h; its window is 12 h.
struct WindowCase {
  const char* fire_time;
  Region region;
};

TEST(OperationalUpdate, works_on_the_positions_inside_the_window) {
  const WindowCase cases[] = {
      {"2020-01-02T00:50:00", {3, 5}},  // 12:50 to 00:50: 18Z and 00Z
      {"2020-01-02T00:00:00", {2, 4}},  // 12:00 counts, 00:00 itself is not due yet
      {"2020-01-01T00:00:01", {0, 1}},  // the dataset's first position
  };
  for (const auto& one : cases) {
    const auto jobs = operational_update_jobs(kForecast, at(one.fire_time));
    ASSERT_TRUE(jobs) << jobs.error().message();
    EXPECT_EQ(jobs->mode, ProcessingMode::kUpdate);
    EXPECT_THAT(jobs->plan.regions, testing::ElementsAre(one.region)) << one.fire_time;
    EXPECT_EQ(jobs->plan.append_size, one.region.end);
    EXPECT_EQ(jobs->plan.variables.size(), kForecast.variables.size());
  }
}

TEST(OperationalUpdate, is_refused_without_a_position_or_a_window) {
  EXPECT_FALSE(operational_update_jobs(kForecast, at("2020-01-01T00:00:00")));
  EXPECT_FALSE(operational_update_jobs(teaching::kAnalysis, at("2020-01-02T00:00:00")));
}

}  // namespace
}  // namespace icefield::dataset
