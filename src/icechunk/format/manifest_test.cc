#include "icechunk/format/manifest.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "core/random.h"
#include "core/text.h"
#include "icechunk/format/manifest_builder.h"

namespace icefield::icechunk {
namespace {

using Key = std::pair<NodeId, ChunkIndex>;
using Model = std::map<Key, ChunkReference>;

NodeId node(std::uint8_t number) {
  return NodeId({number, 1, 2, 3, 4, 5, 6, 7});
}

BuiltManifest build(const Model& model) {
  ManifestBuilder builder(ManifestId::random());
  for (const auto& [key, reference] : model) {
    const auto added = builder.add(key.first, key.second, view_of(reference));
    EXPECT_TRUE(added) << added.error().message();
  }
  EXPECT_EQ(builder.reference_count(), model.size());
  auto built = std::move(builder).finish();
  EXPECT_TRUE(built);
  return *std::move(built);
}

/// Everything that a reader can ask, against the model.
void expect_reads_as(const core::Bytes& file, const Model& model) {
  const auto manifest = decode_manifest(file);
  ASSERT_TRUE(manifest) << manifest.error().message();
  EXPECT_EQ(manifest->reference_count(), model.size());
  std::size_t walked = 0;
  auto expected = model.begin();
  for (std::size_t a = 0; a < manifest->array_count(); ++a) {
    const auto array = manifest->array(a);
    for (std::size_t i = 0; i < array.size(); ++i, ++walked, ++expected) {
      const auto index = array.index(i);
      ASSERT_NE(expected, model.end());
      ASSERT_EQ(Key(array.node(), ChunkIndex(index.begin(), index.end())), expected->first);
      EXPECT_EQ(array.position_of(index), i);
      EXPECT_EQ(array.lower_bound(index), i);
      EXPECT_TRUE(array.box().contains(index));
      const auto found = manifest->find(array.node(), index);
      ASSERT_TRUE(found && *found);
      EXPECT_EQ(**found, expected->second);
    }
  }
  EXPECT_EQ(walked, model.size());
}

ChunkReference file_chunk(std::string location, std::uint64_t offset = 4,
                          std::uint64_t length = 9) {
  return VirtualChunk{.location = std::move(location), .range = {offset, length}};
}

TEST(Manifest, holds_references_of_every_kind_side_by_side) {
  Model model;
  model[{node(1), {0, 0}}] = file_chunk("s3://bucket/a");
  model[{node(1), {0, 1}}] = InlineChunk{core::to_bytes("some bytes")};
  model[{node(1), {0, 2}}] = NativeChunk{.id = ChunkId::random(), .range = {7, 100}};
  model[{node(1), {1, 0}}] =
      VirtualChunk{.location = "vcc://c/b", .range = {0, 1}, .identity = EntityTag{"an \"etag\""}};
  model[{node(1), {1, 1}}] =
      VirtualChunk{.location = "vcc://c/b", .range = {1, 1}, .identity = LastModified{77}};
  model[{node(2), {}}] = file_chunk("file:///scalar");
  const auto built = build(model);
  expect_reads_as(built.bytes, model);
  EXPECT_EQ(built.file.size_bytes, built.bytes.size());
  EXPECT_EQ(built.file.num_chunk_refs, 6U);
  ASSERT_EQ(built.extents.size(), 2U);
  EXPECT_EQ(built.extents[0].node, node(1));
  EXPECT_EQ(built.extents[0].box, (ChunkBox{{0, 2}, {0, 3}}));
  EXPECT_EQ(built.extents[0].references, 5U);
  EXPECT_EQ(built.extents[1].box, ChunkBox());
}

TEST(Manifest, keeps_a_location_of_any_length) {
  Model model;
  model[{node(1), {0}}] = file_chunk("s3://bucket/" + std::string(5000, 'x'));
  model[{node(1), {1}}] = file_chunk("s3://bucket/ü");
  expect_reads_as(build(model).bytes, model);
}

/// Random archives: dense and sparse grids, one to many arrays, lengths alike or not.
class RandomManifest : public testing::TestWithParam<std::uint64_t> {};
TEST_P(RandomManifest, reads_as_a_map) {
  std::uint64_t state = GetParam();
  const auto below = [&state](std::uint64_t limit) { return core::splitmix64(state) % limit; };
  const auto arrays = static_cast<std::uint8_t>(1 + below(4));
  const std::size_t rank = below(5);
  const std::uint64_t keep_of_8 = 1 + below(8);
  const bool alike = below(2) == 0;
  Model model;
  for (std::uint8_t a = 0; a < arrays; ++a) {
    const std::uint64_t references = 1 + below(1500);
    for (std::uint64_t i = 0; i < references; ++i) {
      ChunkIndex index(rank);
      std::uint64_t rest = i;
      for (std::size_t d = rank; d-- > 0; rest /= 7) {
        index[d] = static_cast<std::uint32_t>(d == 0 ? rest : rest % 7);
      }
      if (below(8) >= keep_of_8) continue;
      const std::string path = alike ? core::text(100000 + i) : std::string(below(60), 'p');
      model[{node(a), index}] = file_chunk("vcc://c/f" + path, below(1U << 30U), 1 + below(9999));
    }
  }
  if (model.empty()) model[{node(0), ChunkIndex(rank, 0)}] = file_chunk("vcc://c/f");
  SCOPED_TRACE(core::text("seed ", GetParam()));
  expect_reads_as(build(model).bytes, model);
}
INSTANTIATE_TEST_SUITE_P(, RandomManifest, testing::Range<std::uint64_t>(0, 40));

TEST(Manifest, finds_nothing_where_nothing_is) {
  Model model;
  for (std::uint32_t i = 0; i < 300; i += 3) {
    model[{node(5), {i, i % 2}}] = file_chunk(core::text("vcc://c/", i));
  }
  const auto built = build(model);
  const auto manifest = decode_manifest(built.bytes, built.file.id);
  ASSERT_TRUE(manifest);
  for (std::uint32_t i = 0; i < 310; ++i) {
    for (std::uint32_t j = 0; j < 3; ++j) {
      EXPECT_EQ(manifest->contains(node(5), std::vector{i, j}), model.contains({node(5), {i, j}}))
          << i << " " << j;
    }
  }
  EXPECT_FALSE(manifest->contains(node(4), std::vector{0U, 0U}));
  EXPECT_FALSE(manifest->contains(node(5), std::vector{0U}));
  EXPECT_FALSE(manifest->contains(node(5), std::vector{0U, 0U, 0U}));
  EXPECT_FALSE(manifest->find_array(node(6)));
}

TEST(Manifest, costs_few_bytes_for_an_archive_of_hourly_files) {
  Model model;
  std::uint64_t state = 7;
  for (std::uint32_t i = 0; i < 400; ++i) {
    for (std::uint32_t lead = 0; lead < 49; ++lead) {
      const std::string day = core::text(20250101 + i / 24);
      const std::string hour = core::text(100 + i % 24).substr(1);
      const std::string number = core::text(100 + lead).substr(1);
      model[{node(1), {i, lead, 0, 0}}] =
          file_chunk(core::text("vcc://noaa-hrrr-bdp-pds/hrrr.", day, "/conus/hrrr.t", hour,
                                "z.wrfsfcf", number, ".grib2"),
                     36'000'000 + core::splitmix64(state) % 4'000'000,
                     1'000'000 + core::splitmix64(state) % 300'000);
    }
  }
  const auto built = build(model);
  EXPECT_LE(static_cast<double>(built.bytes.size()) / static_cast<double>(model.size()), 14.0);
  expect_reads_as(built.bytes, model);
}

TEST(Manifest, under_another_name_is_corrupt) {
  Model model;
  model[{node(1), {0}}] = file_chunk("s3://bucket/a");
  const auto manifest = decode_manifest(build(model).bytes, ManifestId::random());
  ASSERT_FALSE(manifest);
  EXPECT_EQ(manifest.error().code(), core::ErrorCode::kCorrupt);
}

struct RefusedCase {
  std::string name;
  NodeId node;
  ChunkIndex index;
  ReferenceView reference;
};

class RefusedReference : public testing::TestWithParam<RefusedCase> {};
TEST_P(RefusedReference, leaves_the_builder_as_it_was) {
  ManifestBuilder builder(ManifestId::random());
  ASSERT_TRUE(builder.add(node(2), std::vector{1U, 1U},
                          VirtualView{.location = "s3://b/k", .range = {0, 1}}));
  const auto added = builder.add(GetParam().node, GetParam().index, GetParam().reference);
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().code(), core::ErrorCode::kInvalidArgument);
  EXPECT_EQ(builder.reference_count(), 1U);
  ASSERT_TRUE(builder.add(node(2), std::vector{1U, 2U},
                          VirtualView{.location = "s3://b/k", .range = {1, 1}}));
  EXPECT_TRUE(std::move(builder).finish());
}

const VirtualView kGood{.location = "s3://b/k", .range = {0, 1}};
INSTANTIATE_TEST_SUITE_P(
    , RefusedReference,
    testing::Values(
        RefusedCase{"same_position", node(2), {1, 1}, kGood},
        RefusedCase{"lesser_position", node(2), {0, 9}, kGood},
        RefusedCase{"lesser_node", node(1), {5, 5}, kGood},
        RefusedCase{"other_rank", node(2), {2}, kGood},
        RefusedCase{"no_length", node(2), {2, 0}, VirtualView{.location = "s3://b/k"}},
        RefusedCase{"past_the_end",
                    node(2),
                    {2, 0},
                    VirtualView{.location = "s3://b/k", .range = {~std::uint64_t{0}, 2}}},
        RefusedCase{"no_location", node(2), {2, 0}, VirtualView{.range = {0, 1}}},
        RefusedCase{"not_utf8", node(2), {2, 0}, VirtualView{.location = "\xFF", .range = {0, 1}}},
        RefusedCase{
            "two_identities",
            node(2),
            {2, 0},
            VirtualView{
                .location = "s3://b/k", .range = {0, 1}, .entity_tag = "e", .last_modified = 1}},
        RefusedCase{"empty_inline", node(2), {2, 0}, InlineView{}},
        RefusedCase{"empty_native", node(2), {2, 0}, NativeChunk{}}),
    [](const auto& tested) { return tested.param.name; });

TEST(ManifestBuilder, refuses_an_empty_manifest) {
  EXPECT_FALSE(ManifestBuilder(ManifestId::random()).finish());
}

}  // namespace
}  // namespace icefield::icechunk
