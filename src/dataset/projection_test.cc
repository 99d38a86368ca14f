#include "dataset/projection.h"

#include <gtest/gtest.h>

namespace icefield::dataset {
namespace {

constexpr std::string_view kLambert =
    "+proj=lcc +lat_0=38.5 +lon_0=-97.5 +lat_1=38.5 +lat_2=38.5 +x_0=0 +y_0=0 +R=6371229 +units=m";

struct Cell {
  int row, column;
  double latitude, longitude;  // degrees, by pyproj 3.8
};

TEST(Projection, agrees_with_pyproj_on_the_lambert_grid) {
  constexpr Cell kCells[] = {
      {0, 0, 47.838623499, -134.095479734},     {0, 1798, 47.842195022, -60.917192772},
      {1058, 0, 21.138123000, -122.719528000},  {1058, 1798, 21.140546625, -72.289718491},
      {529, 899, 38.497246651, -97.505976691},  {0, 899, 52.615653307, -97.507453408},
      {1058, 899, 24.364575589, -97.504988364}, {529, 0, 34.525336824, -127.397849905},
      {529, 1798, 34.528315012, -67.612886326}, {100, 1700, 46.301797819, -65.911403004},
      {700, 300, 32.210244314, -116.630844760},
  };
  for (const Cell& cell : kCells) {
    const std::vector<double> ys = {1586693.847443335 - 3000.0 * cell.row};
    const std::vector<double> xs = {-2697520.142521929 + 3000.0 * cell.column};
    const auto grid = unproject(kLambert, ys, xs);
    ASSERT_TRUE(grid) << grid.error().message();
    // one rounding to float32 at the end: half a unit in the last place is 7.6e-6 degrees at 134
    EXPECT_EQ(grid->latitude[0], static_cast<float>(cell.latitude));
    EXPECT_EQ(grid->longitude[0], static_cast<float>(cell.longitude));
  }
}

TEST(Projection, fills_rows_in_their_order) {
  const std::vector<double> ys = {300000, 0, -300000};
  const std::vector<double> xs = {-300000, 300000};
  const auto grid = unproject(kLambert, ys, xs);
  ASSERT_TRUE(grid);
  ASSERT_EQ(grid->latitude.size(), 6U);
  EXPECT_GT(grid->latitude[0], grid->latitude[2]);
  EXPECT_GT(grid->latitude[2], grid->latitude[4]);
  EXPECT_LT(grid->longitude[0], grid->longitude[1]);
}

TEST(Projection, names_a_definition_that_proj_does_not_know) {
  const std::vector<double> one = {0};
  const auto grid = unproject("+proj=nonsense", one, one);
  ASSERT_FALSE(grid);
  EXPECT_NE(grid.error().message().find("+proj=nonsense"), std::string::npos);
}

}  // namespace
}  // namespace icefield::dataset
