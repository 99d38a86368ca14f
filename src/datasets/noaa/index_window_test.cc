#include "datasets/noaa/index_window.h"

#include <string>

#include <gtest/gtest.h>

namespace icefield::datasets::noaa {
namespace {

using enum dataset::StepType;
using std::chrono::hours;

struct WindowCase {
  dataset::StepType step;
  dataset::WindowReset reset;
  int lead;
  std::string window;
};

// Windows that the published index files of GFS, GEFS and HRRR carry at these leads.
TEST(IndexWindow, is_spelled_as_the_inventories_do) {
  const WindowCase cases[] = {
      {kInstant, dataset::kNoWindow, 0, "anl"},
      {kInstant, dataset::kNoWindow, 8, "8 hour fcst"},
      {kInstant, dataset::kNoWindow, 24, "24 hour fcst"},
      {kAccum, hours(1), 0, "0-0 day acc fcst"},
      {kAccum, hours(1), 1, "0-1 hour acc fcst"},
      {kAccum, hours(1), 8, "7-8 hour acc fcst"},
      {kAccum, hours(1), 24, "23-24 hour acc fcst"},
      {kAccum, dataset::kForever, 1, "0-1 hour acc fcst"},
      {kAccum, dataset::kForever, 8, "0-8 hour acc fcst"},
      {kAccum, dataset::kForever, 24, "0-1 day acc fcst"},
      {kAccum, dataset::kForever, 48, "0-2 day acc fcst"},
      {kAvg, hours(6), 3, "0-3 hour ave fcst"},
      {kAvg, hours(6), 7, "6-7 hour ave fcst"},
      {kAvg, hours(6), 9, "6-9 hour ave fcst"},
      {kMax, hours(6), 15, "12-15 hour max fcst"},
      {kMin, hours(6), 432, "426-432 hour min fcst"},
      {kMin, hours(6), 0, "0-0 day min fcst"},
      {kAvg, hours(24), 24, "0-1 day ave fcst"},
  };
  for (const auto& one : cases) {
    dataset::Variable variable;
    variable.step = one.step;
    variable.source.window_reset = one.reset;
    EXPECT_EQ(index_window(variable, hours(one.lead)), one.window);
  }
}

}  // namespace
}  // namespace icefield::datasets::noaa
