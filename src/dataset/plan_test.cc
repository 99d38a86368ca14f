#include "dataset/plan.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/file.h"
#include "core/json.h"
#include "dataset/testing/teaching_spec.h"

namespace icefield::dataset {
namespace {

using teaching::kAnalysis;
using teaching::kForecast;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

core::Timestamp at(const std::string& text) {
  return *core::parse_timestamp(text);
}

TEST(Plan, takes_one_region_per_chunk_or_shard) {
  const auto forecast = plan_regions(kForecast, 3, {});
  ASSERT_TRUE(forecast);
  EXPECT_THAT(forecast->regions, ElementsAre(Region{0, 1}, Region{1, 2}, Region{2, 3}));
  EXPECT_THAT(forecast->variables, ElementsAre(0, 1, 2));
  EXPECT_THAT(plan_regions(kAnalysis, 100, {})->regions,
              ElementsAre(Region{0, 48}, Region{48, 96}, Region{96, 100}));
}

TEST(Plan, keeps_whole_regions_that_a_filter_touches) {
  const auto regions = [](const Filters& filters) {
    const auto plan = plan_regions(kAnalysis, 144, filters);
    EXPECT_TRUE(plan) << plan.error().message();
    return plan->regions;
  };
  const Region first{0, 48};
  const Region second{48, 96};
  const Region third{96, 144};
  EXPECT_THAT(regions({.start = at("2020-01-02T23:00:00")}), ElementsAre(first, second, third));
  EXPECT_THAT(regions({.start = at("2020-01-03T00:00:00")}), ElementsAre(second, third));
  EXPECT_THAT(regions({.end = at("2020-01-03T00:00:00")}), ElementsAre(first));
  EXPECT_THAT(regions({.end = at("2020-01-03T01:00:00")}), ElementsAre(first, second));
  EXPECT_THAT(regions({.contains = {{at("2020-01-05"), at("2020-01-01")}}}),
              ElementsAre(first, third));
  EXPECT_THAT(regions({.start = at("2020-01-04"), .contains = {{at("2020-01-01")}}}), IsEmpty());
  EXPECT_THAT(regions({.contains = std::vector<core::Timestamp>()}), IsEmpty());
}

TEST(Plan, names_times_outside_of_the_dataset) {
  const std::vector<Filters> wrong = {
      {.start = at("2020-01-01T00:30:00")}, {.start = at("2019-12-31")},
      {.start = at("2020-01-07")},          {.end = at("2020-01-07T01:00:00")},
      {.contains = {{at("2020-01-07")}}},   {.contains = {{at("2020-01-01T00:30:00")}}},
  };
  for (const Filters& filters : wrong) {
    const auto plan = plan_regions(kAnalysis, 144, filters);
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().code(), core::ErrorCode::kInvalidArgument);
    EXPECT_THAT(plan.error().message(), HasSubstr("filter"));
  }
  EXPECT_TRUE(plan_regions(kAnalysis, 144, {.end = at("2020-01-07")}));
  EXPECT_FALSE(plan_regions(kAnalysis, 0, {}));
  EXPECT_FALSE(plan_regions(kAnalysis, 144, {.variable_names = {"snow"}}));
}

TEST(Assignment, is_contiguous_for_virtual_and_spread_for_materialized_datasets) {
  EXPECT_EQ(worker_assignment(kForecast), WorkerAssignment::kContiguous);
  EXPECT_EQ(worker_assignment(kAnalysis), WorkerAssignment::kSpread);
}

std::vector<std::size_t> numbers(const core::Json& list) {
  std::vector<std::size_t> out;
  for (const auto& one : list.as_array()) out.push_back(one.as_uint64());
  return out;
}

TEST(Assignment, gives_the_provider_s_lists) {
  const auto path =
      std::filesystem::path(ICEFIELD_SOURCE_DIR) / "tests/golden/datasets/worker_assignment.json";
  const auto cases = core::Json::parse(core::as_text(*core::read_file(path)));
  ASSERT_TRUE(cases);
  for (const auto& one : cases->as_array()) {
    const auto items = one.find("jobs")->as_uint64();
    const auto workers = one.find("workers")->as_uint64();
    EXPECT_EQ(spread_order(items), numbers(*one.find("spread_order")));
    for (std::size_t worker = 0; worker < workers; ++worker) {
      const auto spread = items_of_worker(WorkerAssignment::kSpread, items, worker, workers);
      ASSERT_TRUE(spread);
      EXPECT_EQ(*spread, numbers(one.find("spread")->as_array()[worker]));
      const auto& expected = one.find("contiguous")->as_array()[worker];
      const auto block = items_of_worker(WorkerAssignment::kContiguous, items, worker, workers);
      ASSERT_EQ(bool(block), expected.is_array()) << items << " jobs, worker " << worker;
      if (block) {
        EXPECT_EQ(*block, numbers(expected));
      }
    }
  }
}

TEST(Assignment, refuses_a_worker_beyond_the_total) {
  EXPECT_FALSE(items_of_worker(WorkerAssignment::kSpread, 3, 2, 2));
  EXPECT_FALSE(items_of_worker(WorkerAssignment::kSpread, 3, 0, 0));
  EXPECT_THAT(*items_of_worker(WorkerAssignment::kSpread, 1, 1, 2), IsEmpty());
  EXPECT_TRUE(spread_order(0).empty());
}

}  // namespace
}  // namespace icefield::dataset
