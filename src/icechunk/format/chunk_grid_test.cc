#include "icechunk/format/chunk_grid.h"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace icefield::icechunk {
namespace {

using Numbers = std::vector<std::uint32_t>;

TEST(ChunkBox, holds_half_open_ranges) {
  const ChunkBox box{{1, 3}, {0, 2}};
  EXPECT_TRUE(box.contains(Numbers{1, 0}));
  EXPECT_TRUE(box.contains(Numbers{2, 1}));
  EXPECT_FALSE(box.contains(Numbers{3, 0}));
  EXPECT_FALSE(box.contains(Numbers{0, 0}));
  EXPECT_FALSE(box.contains(Numbers{1}));
  EXPECT_EQ(box.volume(), 4U);
}

TEST(ChunkBox, without_ranges_holds_everything) {
  const ChunkBox box;
  EXPECT_TRUE(box.contains(Numbers{}));
  EXPECT_TRUE(box.contains(Numbers{7, 7}));
  EXPECT_TRUE(box.covers(ChunkBox{{1, 2}}));
  EXPECT_TRUE(box.meets(ChunkBox{{1, 2}}));
  EXPECT_EQ(box.volume(), 1U);
}

struct PairCase {
  ChunkBox left;
  ChunkBox right;
  bool meets = false;
  bool left_covers_right = false;
};

// columns: left, right, meets, left covers right
const PairCase kPairs[] = {
    {{{0, 4}}, {{2, 6}}, true, false},
    {{{0, 4}}, {{4, 6}}, false, false},
    {{{0, 4}}, {{1, 4}}, true, true},
    {{{0, 4}, {0, 4}}, {{1, 2}, {4, 5}}, false, false},
    {{{0, 4}, {0, 4}}, {{1, 2}, {3, 4}}, true, true},
    {{{0, 4}}, {{2, 2}}, false, true},  // an empty box
};

TEST(ChunkBox, meets_and_covers_others) {
  for (const PairCase& one : kPairs) {
    EXPECT_EQ(one.left.meets(one.right), one.meets);
    EXPECT_EQ(one.right.meets(one.left), one.meets);
    EXPECT_EQ(one.left.covers(one.right), one.left_covers_right);
  }
}

TEST(ChunkBox, works_with_more_dimensions_than_fit_inside_it) {
  ChunkBox box = ChunkBox::around(Numbers{1, 2, 3, 4, 5, 6, 7});
  box.extend(Numbers{3, 2, 3, 4, 5, 6, 0});
  EXPECT_EQ(box, (ChunkBox{{1, 4}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}, {0, 8}}));
  EXPECT_EQ(box.volume(), 24U);
  EXPECT_EQ(box.common(ChunkBox::around(Numbers{3, 2, 3, 4, 5, 6, 7})).volume(), 1U);
  EXPECT_EQ(box.common(ChunkBox::around(Numbers{9, 2, 3, 4, 5, 6, 7})).volume(), 0U);
}

TEST(ChunkBox, volume_stops_at_the_largest_number) {
  constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();
  const ChunkBox box{{0, kMost}, {0, kMost}, {0, kMost}};
  EXPECT_EQ(box.volume(), std::numeric_limits<std::uint64_t>::max());
}

TEST(ChunkIndexSet, sorts_and_drops_repetitions) {
  const auto set = ChunkIndexSet::from_unsorted(2, {3, 1, 0, 5, 3, 1, 0, 4});
  ASSERT_EQ(set.size(), 3U);
  EXPECT_EQ(Numbers(set[0].begin(), set[0].end()), (Numbers{0, 4}));
  EXPECT_EQ(Numbers(set[2].begin(), set[2].end()), (Numbers{3, 1}));
  EXPECT_TRUE(set.contains(Numbers{0, 5}));
  EXPECT_FALSE(set.contains(Numbers{0, 6}));
  EXPECT_FALSE(set.contains(Numbers{0}));
}

TEST(ChunkIndexSet, takes_only_greater_positions_of_its_rank) {
  ChunkIndexSet set;
  EXPECT_TRUE(set.append(Numbers{1, 2}));
  EXPECT_FALSE(set.append(Numbers{1, 2}));
  EXPECT_FALSE(set.append(Numbers{1, 1}));
  EXPECT_FALSE(set.append(Numbers{2}));
  EXPECT_TRUE(set.append(Numbers{2, 0}));
  EXPECT_EQ(set.size(), 2U);
}

TEST(ChunkIndexSet, holds_the_one_position_of_a_scalar) {
  ChunkIndexSet set;
  EXPECT_TRUE(set.append(Numbers{}));
  EXPECT_FALSE(set.append(Numbers{}));
  EXPECT_EQ(set.size(), 1U);
  EXPECT_TRUE(set.contains(Numbers{}));
  EXPECT_EQ(ChunkIndexSet::join(set, set), set);
}

TEST(ChunkIndexSet, joins_and_intersects) {
  const auto left = ChunkIndexSet::from_unsorted(1, {1, 3, 5});
  const auto right = ChunkIndexSet::from_unsorted(1, {2, 3, 6});
  EXPECT_EQ(ChunkIndexSet::join(left, right), ChunkIndexSet::from_unsorted(1, {1, 2, 3, 5, 6}));
  EXPECT_EQ(ChunkIndexSet::common(left, right), ChunkIndexSet::from_unsorted(1, {3}));
  EXPECT_EQ(ChunkIndexSet::join(left, ChunkIndexSet()), left);
  EXPECT_TRUE(ChunkIndexSet::common(left, ChunkIndexSet()).empty());
}

}  // namespace
}  // namespace icefield::icechunk
