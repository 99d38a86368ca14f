#include "icechunk/commit/internal/box_cover.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "core/random.h"
#include "icechunk/commit/internal/merge_lists.h"
#include "icechunk/commit/internal/window_cover.h"
#include "icechunk/commit/testing/repository_words.h"

namespace icefield::icechunk {
namespace {

/// References at given positions, as a list over one source.
class Positions {
 public:
  explicit Positions(const std::set<ChunkIndex>& positions)
      : changes_(positions.empty() ? 0 : positions.begin()->size()) {
    for (const ChunkIndex& index : positions) {
      changes_.edit(index, ChunkReference(InlineChunk{.bytes = core::to_bytes("x")}));
    }
    sources_.emplace_back(changes_.sorted(locations_));
    for (std::size_t i = 0; i < sources_[0].size(); ++i) list_.append(0, i);
  }

  const ReferenceList& list() const { return list_; }
  const ReferenceSources& sources() const { return sources_; }

 private:
  LocationTable locations_;
  ArrayChanges changes_;
  ReferenceSources sources_;
  ReferenceList list_;
};

std::set<ChunkIndex> grid(const ChunkBox& box) {
  std::set<ChunkIndex> all = {{}};
  for (const ChunkRange& range : box.ranges()) {
    std::set<ChunkIndex> longer;
    for (const ChunkIndex& index : all) {
      for (std::uint32_t i = range.from; i < range.to; ++i) {
        ChunkIndex next = index;
        next.push_back(i);
        longer.insert(next);
      }
    }
    all = longer;
  }
  return all;
}

std::set<ChunkIndex> without(std::set<ChunkIndex> all, const std::set<ChunkIndex>& gone) {
  for (const ChunkIndex& index : gone) all.erase(index);
  return all;
}

std::set<std::string> boxes_of(const std::vector<Piece>& pieces) {
  std::set<std::string> boxes;
  for (const Piece& piece : pieces) boxes.insert(testing_words::box_text(piece.box));
  return boxes;
}

struct CoverCase {
  std::string name;
  std::set<ChunkIndex> positions;
  std::set<std::string> boxes;
};
class FullBoxes : public testing::TestWithParam<CoverCase> {};

TEST_P(FullBoxes, are_few) {
  const Positions positions(GetParam().positions);
  const auto pieces = cover_with_full_boxes(positions.list(), positions.sources(), 8);
  ASSERT_TRUE(pieces);
  EXPECT_EQ(boxes_of(*pieces), GetParam().boxes);
}

INSTANTIATE_TEST_SUITE_P(
    , FullBoxes,
    testing::Values(CoverCase{"one", {{3, 4}}, {"[3,4)x[4,5)"}},
                    CoverCase{"block", grid({{2, 4}, {0, 5}}), {"[2,4)x[0,5)"}},
                    CoverCase{
                        "leads_of_two_inits", {{7, 3}, {7, 4}, {8, 3}, {8, 4}}, {"[7,9)x[3,5)"}},
                    CoverCase{"whole_rows_and_a_part",
                              without(grid({{0, 4}, {0, 5}}), {{3, 3}, {3, 4}}),
                              {"[0,3)x[0,5)", "[3,4)x[0,3)"}},
                    CoverCase{"part_rows_part",
                              without(grid({{0, 4}, {0, 3}}), {{0, 0}, {3, 2}}),
                              {"[0,1)x[1,3)", "[1,3)x[0,3)", "[3,4)x[0,2)"}},
                    CoverCase{"two_apart", {{0, 0}, {5, 5}}, {"[0,1)x[0,1)", "[5,6)x[5,6)"}},
                    CoverCase{"levels_and_trailing_ones",
                              grid({{4, 5}, {9, 10}, {0, 40}, {0, 1}, {0, 1}}),
                              {"[4,5)x[9,10)x[0,40)x[0,1)x[0,1)"}}),
    [](const auto& tested) { return tested.param.name; });

TEST(FullBoxCover, gives_up_when_too_many_would_be_needed) {
  std::set<ChunkIndex> scattered;
  for (std::uint32_t i = 0; i < 20; ++i) scattered.insert({2 * i, i % 3});
  const Positions positions(scattered);
  EXPECT_FALSE(cover_with_full_boxes(positions.list(), positions.sources(), 16));
}

/// Every position in exactly one piece whose box holds it; boxes disjoint and tight.
void expect_cover(const std::vector<Piece>& pieces, const Positions& positions,
                  const std::set<ChunkIndex>& expected) {
  std::set<ChunkIndex> seen;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    EXPECT_EQ(pieces[i].box, bounding_box(pieces[i].references, positions.sources()));
    for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(pieces[i].box.meets(pieces[j].box));
    pieces[i].references.for_each(
        positions.sources(), [&](std::uint32_t, std::size_t, ChunkIndexView index) {
          EXPECT_TRUE(seen.insert(ChunkIndex(index.begin(), index.end())).second);
        });
  }
  EXPECT_EQ(seen, expected);
}

TEST(WindowCover, holds_random_positions_once_in_disjoint_boxes) {
  const std::uint64_t seed = core::random_u64();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::uint64_t state = seed;
  for (int round = 0; round < 200; ++round) {
    std::set<ChunkIndex> chosen;
    const auto density = 1 + core::splitmix64(state) % 100;
    for (const ChunkIndex& index : grid({{0, 9}, {0, 4}, {0, 3}})) {
      if (core::splitmix64(state) % 100 < density) chosen.insert(index);
    }
    if (chosen.empty()) continue;
    const Positions positions(chosen);
    expect_cover(cover_window(positions.list(), positions.sources()), positions, chosen);
    const auto full = cover_with_full_boxes(positions.list(), positions.sources(), 1000);
    ASSERT_TRUE(full);
    expect_cover(*full, positions, chosen);
    for (const Piece& piece : *full) EXPECT_EQ(piece.box.volume(), piece.references.size());
  }
}

TEST(WindowCover, leaves_free_positions_of_growing_rows_outside) {
  // 40 rows with a hole each, and two that are just arriving
  std::set<ChunkIndex> chosen;
  for (std::uint32_t row = 0; row < 40; ++row) {
    for (std::uint32_t lead = 0; lead < 10; ++lead) {
      if (lead != row % 10) chosen.insert({row, lead});
    }
  }
  for (const std::uint32_t lead : {0U, 1U, 2U}) chosen.insert({40, lead});
  chosen.insert({41, 0});
  const Positions positions(chosen);
  EXPECT_EQ(boxes_of(cover_window(positions.list(), positions.sources())),
            (std::set<std::string>{"[0,40)x[0,10)", "[40,41)x[0,3)", "[41,42)x[0,1)"}));
}

}  // namespace
}  // namespace icefield::icechunk
