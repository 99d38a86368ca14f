#include "zarr/chunk_grid.h"

#include <gtest/gtest.h>

namespace icefield::zarr {
namespace {

TEST(ChunkGrid, counts_chunks_that_overhang) {
  const auto counts = chunk_counts(Shape{1, 49, 1060, 0}, Shape{1, 1, 1059, 10});
  ASSERT_TRUE(counts);
  EXPECT_EQ(*counts, (Shape{1, 49, 2, 0}));
  EXPECT_TRUE(chunk_counts({}, {})->empty());
}

TEST(ChunkGrid, refuses_chunks_that_do_not_fit_the_array) {
  EXPECT_FALSE(chunk_counts(Shape{4}, Shape{2, 2}));
  EXPECT_FALSE(chunk_counts(Shape{4}, Shape{0}));
}

TEST(ChunkGrid, finds_the_chunk_of_an_element) {
  const auto chunk = chunk_of(ElementIndex({10302, 8, 1058}), Shape{1, 4, 1059});
  ASSERT_TRUE(chunk);
  EXPECT_EQ(*chunk, ChunkIndex({10302, 2, 0}));
  EXPECT_FALSE(chunk_of(ElementIndex({1}), Shape{1, 1}));
  EXPECT_FALSE(chunk_of(ElementIndex({1}), Shape{0}));
  EXPECT_FALSE(chunk_of(ElementIndex({std::uint64_t{1} << 40}), Shape{1}));
}

TEST(ChunkGrid, counts_elements_without_overflow) {
  EXPECT_EQ(*element_count(Shape{}), 1U);
  EXPECT_EQ(*element_count(Shape{1059, 1799}), 1905141U);
  EXPECT_EQ(*element_count(Shape{std::uint64_t{1} << 63, 0, 9}), 0U);
  EXPECT_FALSE(element_count(Shape{std::uint64_t{1} << 40, std::uint64_t{1} << 40}));
}

}  // namespace
}  // namespace icefield::zarr
