#include "dataset/source_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dataset/chunk_resolver.h"
#include "dataset/testing/teaching_spec.h"

namespace icefield::dataset {
namespace {

using teaching::kForecast;
using testing::ElementsAre;
using testing::HasSubstr;

const SourceFile kFile{.append = core::Timestamp(std::chrono::seconds(1577858400)),
                       .lead = std::chrono::hours(3),
                       .file_type = 1};

TEST(SourceFile, fills_one_cell) {
  EXPECT_THAT(out_loc(kForecast, kFile),
              ElementsAre(Label{"init_time", 1577858400}, Label{"lead_time", 10800}));
}

TEST(SourceFile, stands_for_its_first_instantaneous_variable) {
  const std::vector<VariableIndex> all = {0, 1, 2};
  const std::vector<VariableIndex> rain = {0};
  EXPECT_EQ(representative_var(kForecast, all), 1U);
  EXPECT_EQ(representative_var(kForecast, rain), 0U);
}

TEST(SourceFile, is_probed_at_the_first_level_of_a_group) {
  EXPECT_EQ(representative_probe_loc(kForecast, kFile, 1), out_loc(kForecast, kFile));
  EXPECT_THAT(representative_probe_loc(kForecast, kFile, 2),
              ElementsAre(Label{"init_time", 1577858400}, Label{"lead_time", 10800},
                          Label{"pressure_level", 1000}));
}

TEST(SourceFile, is_stored_relative_to_the_longest_container) {
  const VirtualConfig& config = *kForecast.virtual_config;
  EXPECT_EQ(stored_location(config, "s3://bucket/a/b"), "vcc://bucket/a/b");
  EXPECT_EQ(stored_location(config, "s3://bucket/inner/b"), "vcc://inner/b");
  EXPECT_EQ(stored_location(config, "s3://bucket/"), std::nullopt);
  EXPECT_EQ(stored_location(config, "https://bucket/a"), std::nullopt);
  EXPECT_EQ(container_of(config, "s3://other/a"), nullptr);
}

class Resolver : public testing::Test {
 protected:
  ChunkResolver make(std::uint64_t append_size) {
    return *ChunkResolver::make(kForecast, *generate_template(kForecast, append_size));
  }
};

TEST_F(Resolver, turns_labels_into_chunks) {
  const auto resolver = make(4);
  const auto location = out_loc(kForecast, kFile);
  EXPECT_EQ(**resolver.chunk_index(1, location), zarr::ChunkIndex({1, 3, 0, 0}));
  EXPECT_EQ(**resolver.chunk_index(Match{2, 1}, location), zarr::ChunkIndex({1, 3, 0, 0, 1}));
  EXPECT_EQ(**resolver.chunk_index(2, representative_probe_loc(kForecast, kFile, 2)),
            zarr::ChunkIndex({1, 3, 0, 0, 0}));
  EXPECT_EQ(resolver.store_key(2, zarr::ChunkIndex({1, 3, 0, 0, 1})),
            "pressure_level/temperature/c/1/3/0/0/1");
}

TEST_F(Resolver, finds_nothing_for_labels_that_are_not_there_yet) {
  const auto resolver = make(1);
  EXPECT_EQ(*resolver.chunk_index(1, out_loc(kForecast, kFile)), std::nullopt);
  EXPECT_EQ(*make(4).chunk_index(1, {{"init_time", 1577858401}, {"lead_time", 0}}), std::nullopt);
  EXPECT_EQ(*make(4).chunk_index(1, {{"init_time", 1577836799}, {"lead_time", 0}}), std::nullopt);
  EXPECT_EQ(*make(4).chunk_index(1, {{"init_time", 1577836800}, {"lead_time", 60}}), std::nullopt);
}

TEST_F(Resolver, refuses_more_or_less_than_one_message) {
  const auto open = make(4).chunk_index(2, out_loc(kForecast, kFile));
  ASSERT_FALSE(open);
  EXPECT_THAT(open.error().message(), HasSubstr("exactly one message"));

  static constexpr std::uint64_t kWide[] = {1, 2, 4, 2};
  static constexpr Group kWideGroups[] = {
      {"", teaching::kRootDims, kWide},
      {"pressure_level", teaching::kLevelDims, teaching::kLevelChunks}};
  DatasetSpec spec = kForecast;
  spec.groups = kWideGroups;
  const auto resolver = ChunkResolver::make(spec, *generate_template(spec, 4));
  ASSERT_TRUE(resolver);
  const auto inside = resolver->chunk_index(1, {{"init_time", 1577836800}, {"lead_time", 3600}});
  ASSERT_FALSE(inside);
  EXPECT_THAT(inside.error().message(), HasSubstr("exactly one message"));
}

TEST_F(Resolver, needs_every_variable_in_the_template) {
  auto incomplete = *generate_template(kForecast, 1);
  std::erase_if(incomplete.nodes, [](const auto& node) { return node.path == "wind_2m"; });
  EXPECT_FALSE(ChunkResolver::make(kForecast, incomplete));
}

}  // namespace
}  // namespace icefield::dataset
