#include "core/parallel.h"

#include <numeric>
#include <set>

#include <gtest/gtest.h>

namespace icefield::core {
namespace {

TEST(ParallelMap, keeps_the_order_of_the_items) {
  std::vector<int> items(1000);
  std::iota(items.begin(), items.end(), 0);
  const auto squares =
      parallel_map(std::span<const int>(items), 4, [](const int& item) { return item * item; });
  ASSERT_EQ(squares.size(), items.size());
  for (const int item : items) EXPECT_EQ(squares[static_cast<std::size_t>(item)], item * item);
}

TEST(ParallelMap, of_nothing_is_nothing) {
  EXPECT_TRUE(
      parallel_map(std::span<const int>(), 4, [](const int& item) { return item; }).empty());
}

}  // namespace
}  // namespace icefield::core
