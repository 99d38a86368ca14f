#include "sample_source/record.h"

#include <string>

#include <gtest/gtest.h>

namespace icefield::sample_source {
namespace {

struct WindowCase {
  std::int32_t lead_hour;
  std::optional<Interval> interval;
  std::string expected;
};

class WindowText : public testing::TestWithParam<WindowCase> {};

TEST_P(WindowText, is_spelled_as_in_the_providers_inventories) {
  EXPECT_EQ(window_text({.lead_hour = GetParam().lead_hour, .interval = GetParam().interval}),
            GetParam().expected);
}

// from the provider's indexes of leads 0, 8 and 24
INSTANTIATE_TEST_SUITE_P(
    , WindowText,
    testing::Values(WindowCase{0, {}, "anl"}, WindowCase{8, {}, "8 hour fcst"},
                    WindowCase{24, {}, "24 hour fcst"},
                    WindowCase{0, Interval{Statistic::kMaximum, 0, 0}, "0-0 day max fcst"},
                    WindowCase{8, Interval{Statistic::kAverage, 7, 8}, "7-8 hour ave fcst"},
                    WindowCase{8, Interval{Statistic::kMinimum, 7, 8}, "7-8 hour min fcst"},
                    WindowCase{8, Interval{Statistic::kAccumulation, 0, 8}, "0-8 hour acc fcst"},
                    WindowCase{24, Interval{Statistic::kAccumulation, 0, 24}, "0-1 day acc fcst"},
                    WindowCase{24, Interval{Statistic::kAccumulation, 23, 24},
                               "23-24 hour acc fcst"},
                    WindowCase{48, Interval{Statistic::kAccumulation, 0, 48}, "0-2 day acc fcst"}));

}  // namespace
}  // namespace icefield::sample_source
