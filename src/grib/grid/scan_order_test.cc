#include "grib/grid/scan_order.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace icefield::grib {
namespace {

GridDefinition grid_of(std::uint32_t ni, std::uint32_t nj, std::uint8_t flags) {
  GridDefinition grid;
  grid.ni = ni;
  grid.nj = nj;
  grid.n_points = ni * nj;
  grid.scan_mode = ScanMode{flags};
  return grid;
}

struct OrderCase {
  std::string name;
  std::uint8_t flags;
  std::vector<float> stored;
};

class Order : public ::testing::TestWithParam<OrderCase> {};

/// A grid of 2 rows of 3 points whose values are 1 2 3 in the north, 4 5 6 in the south.
TEST_P(Order, becomes_north_up) {
  std::vector<float> out(6);
  const auto status = to_north_up(grid_of(3, 2, GetParam().flags),
                                  std::span<const float>(GetParam().stored), std::span(out));
  ASSERT_TRUE(status) << status.error().message();
  EXPECT_THAT(out, ::testing::ElementsAre(1, 2, 3, 4, 5, 6));
}

INSTANTIATE_TEST_SUITE_P(, Order,
                         ::testing::Values(OrderCase{"usual", 0x00, {1, 2, 3, 4, 5, 6}},
                                           OrderCase{"westward", 0x80, {3, 2, 1, 6, 5, 4}},
                                           OrderCase{"northward", 0x40, {4, 5, 6, 1, 2, 3}},
                                           OrderCase{"west_and_north", 0xC0, {6, 5, 4, 3, 2, 1}},
                                           OrderCase{"alternating", 0x10, {1, 2, 3, 6, 5, 4}},
                                           OrderCase{"north_alternating", 0x50, {4, 5, 6, 3, 2, 1}},
                                           OrderCase{"columns", 0x20, {1, 4, 2, 5, 3, 6}},
                                           OrderCase{"columns_north", 0x60, {4, 1, 5, 2, 6, 3}},
                                           OrderCase{"columns_west", 0xA0, {3, 6, 2, 5, 1, 4}},
                                           OrderCase{
                                               "columns_alternating", 0x30, {1, 4, 5, 2, 3, 6}}),
                         [](const auto& tested) { return tested.param.name; });

TEST(OrderOfReducedGrids, keeps_rows_and_puts_the_north_first) {
  auto grid = grid_of(0, 3, 0x40);
  grid.row_lengths = {1, 2, 3};
  grid.n_points = 6;
  const std::vector<double> stored = {6, 4, 5, 1, 2, 3};
  std::vector<double> out(6);
  ASSERT_TRUE(to_north_up(grid, std::span<const double>(stored), std::span(out)));
  EXPECT_THAT(out, ::testing::ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(OrderErrors, refuse_other_sizes_and_grids_without_rows) {
  std::vector<float> six(6);
  std::vector<float> other(6);
  std::vector<float> five(5);
  const auto grid = grid_of(3, 2, 0);
  EXPECT_FALSE(to_north_up(grid, std::span<const float>(five), std::span(six)));
  EXPECT_FALSE(to_north_up(grid, std::span<const float>(six), std::span(five)));
  EXPECT_FALSE(to_north_up(grid, std::span<const float>(six), std::span(six)));
  GridDefinition unplaced;
  unplaced.n_points = 6;
  const auto refused = to_north_up(unplaced, std::span<const float>(six), std::span(other));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), core::ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace icefield::grib
