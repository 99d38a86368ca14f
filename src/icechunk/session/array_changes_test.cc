#include "icechunk/session/array_changes.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/random.h"

namespace icefield::icechunk {
namespace {

/// Columns that a test fills row by row.
struct Columns {
  std::vector<std::uint32_t> indices;
  std::vector<LocationNumber> locations;
  std::vector<std::uint64_t> offsets;
  std::vector<std::uint64_t> lengths;

  void add(const ChunkIndex& index, LocationNumber location, std::uint64_t offset) {
    indices.insert(indices.end(), index.begin(), index.end());
    locations.push_back(location);
    offsets.push_back(offset);
    lengths.push_back(1);
  }
  VirtualReferences view() const {
    return {.indices = indices, .locations = locations, .offsets = offsets, .lengths = lengths};
  }
};

/// What a change is, as text: "deleted", "at 7" for a virtual reference, "inline".
std::string shown(const std::optional<ReferenceView>& reference) {
  if (!reference) return "deleted";
  if (const auto* source = std::get_if<VirtualView>(&*reference)) {
    return "at " + std::to_string(source->range.offset);
  }
  return "inline";
}

using Model = std::map<ChunkIndex, std::string>;

Model contents(const ArrayChanges& changes, const LocationTable& locations) {
  Model all;
  const auto sorted = changes.sorted(locations);
  for (std::size_t i = 0; i < sorted->size(); ++i) {
    const auto index = sorted->index(i);
    EXPECT_TRUE(i == 0 || compare_indices(sorted->index(i - 1), index) < 0);
    EXPECT_EQ(sorted->deleted(i), !sorted->view(i).has_value());
    all[ChunkIndex(index.begin(), index.end())] = shown(sorted->view(i));
  }
  return all;
}

TEST(ArrayChanges, hold_the_last_change_of_every_position) {
  const std::uint64_t seed = core::random_u64();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::uint64_t state = seed;
  const auto roll = [&state](std::uint64_t below) { return core::splitmix64(state) % below; };
  LocationTable locations;
  const LocationNumber location = locations.add("vcc://a/b", {});
  ArrayChanges changes(2);
  Model model;
  std::uint64_t serial = 0;
  const auto position = [&] {
    return ChunkIndex{static_cast<std::uint32_t>(roll(20)), static_cast<std::uint32_t>(roll(5))};
  };
  for (int step = 0; step < 300; ++step) {
    const auto what = roll(10);
    if (what < 5) {
      Columns columns;
      for (std::uint64_t i = roll(30); i-- > 0;) {
        const ChunkIndex index = position();
        columns.add(index, location, ++serial);
        model[index] = "at " + std::to_string(serial);
      }
      changes.add(columns.view());
    } else if (what < 7) {
      const ChunkIndex index = position();
      changes.edit(index, ChunkReference(InlineChunk{.bytes = core::to_bytes("x")}));
      model[index] = "inline";
    } else if (what < 9) {
      const ChunkIndex index = position();
      changes.edit(index, std::nullopt);
      model[index] = "deleted";
    } else {
      const ChunkIndex index = position();
      changes.forget(ChunkIndexSet::from_unsorted(2, {index[0], index[1]}));
      model.erase(index);
    }
    ASSERT_EQ(contents(changes, locations), model);
    const ChunkIndex index = position();
    const auto found = changes.find(index, locations);
    ASSERT_EQ(found.has_value(), model.contains(index));
    if (found) {
      ASSERT_EQ(shown(found->reference), model[index]);
    }
  }
}

TEST(ArrayChanges, stay_below_48_bytes_of_memory_for_a_reference_of_rank_4) {
  LocationTable locations;
  const LocationNumber location = locations.add("vcc://a/b", {});
  ArrayChanges changes(4);
  constexpr std::uint32_t kReferences = 200'000;
  for (std::uint32_t first = 0; first < kReferences; first += 10) {  // many small calls
    Columns columns;
    for (std::uint32_t i = first; i < first + 10; ++i) columns.add({i, 0, 0, 0}, location, i);
    changes.add(columns.view());
  }
  EXPECT_EQ(changes.size(), kReferences);
  EXPECT_LE(changes.memory() / kReferences, 48U);
}

}  // namespace
}  // namespace icefield::icechunk
