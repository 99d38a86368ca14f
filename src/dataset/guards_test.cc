#include "dataset/guards.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dataset/template.h"
#include "dataset/testing/teaching_spec.h"

namespace icefield::dataset {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TreeStructure tree(const DatasetSpec& spec, std::uint64_t append_size) {
  TreeStructure structure;
  const auto made = generate_template(spec, append_size);
  for (const auto& node : made->nodes) {
    const auto* const array = std::get_if<zarr::ArrayMetadata>(&node.metadata);
    if (array != nullptr) structure.arrays.emplace(node.path, *array);
  }
  structure.dimension_values["y"] = core::to_bytes("rows");
  return structure;
}

TreeStructure forecast(std::uint64_t append_size) {
  return tree(teaching::kForecast, append_size);
}

TEST(StructureGuard, accepts_equal_trees_and_new_arrays) {
  auto existing = forecast(3);
  EXPECT_THAT(structure_mismatches(existing, forecast(5), "init_time", AppendChunks::kCompared),
              IsEmpty());
  existing.arrays.erase("wind_2m");
  EXPECT_TRUE(check_update_structure(existing, forecast(5), "init_time", AppendChunks::kCompared));
}

TEST(StructureGuard, lists_every_difference) {
  auto wanted = forecast(3);
  wanted.arrays.erase("rain_surface");
  wanted.arrays["wind_2m"].data_type = zarr::DataType::kFloat32;
  wanted.arrays["wind_2m"].chunk_shape = {2, 1, 4, 2};
  (*wanted.arrays["y"].dimension_names)[0] = "row";
  wanted.dimension_values["y"] = core::to_bytes("others");
  const auto lines =
      structure_mismatches(forecast(3), wanted, "init_time", AppendChunks::kCompared);
  EXPECT_THAT(lines,
              ElementsAre("rain_surface: in existing store but missing from update template",
                          "wind_2m.dtype: existing store has float64, update template has float32",
                          "wind_2m.chunks: existing store has (1, 1, 4, 2), update template has "
                          "(2, 1, 4, 2)",
                          "y.dims: existing store has (y), update template has (row)",
                          "coord y: values differ from the existing store"));
  const auto status =
      check_update_structure(forecast(3), wanted, "init_time", AppendChunks::kIgnored);
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message(),
              HasSubstr("Update template structure does not match the existing store."));
  EXPECT_THAT(status.error().message(), testing::Not(HasSubstr("wind_2m.chunks")));
}

TEST(StructureGuard, tells_shards_from_chunks) {
  const auto existing = tree(teaching::kAnalysis, 10);
  auto wanted = existing;
  wanted.arrays["wind_2m"].chunk_shape = {96, 4, 2};
  EXPECT_THAT(structure_mismatches(existing, wanted, "time", AppendChunks::kCompared),
              ElementsAre("wind_2m.shards: existing store has (48, 4, 2), update template has "
                          "(96, 4, 2)"));
  EXPECT_THAT(structure_mismatches(existing, wanted, "time", AppendChunks::kIgnored), IsEmpty());
}

TEST(RetractionGuard, refuses_a_shorter_template) {
  EXPECT_TRUE(check_no_retraction(forecast(3), forecast(3), "init_time"));
  const auto status = check_no_retraction(forecast(3), forecast(2), "init_time");
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message(),
              HasSubstr("Update template would retract already-published data"));
  EXPECT_THAT(status.error().message(), HasSubstr("/: store has 3, template has 2"));
  EXPECT_THAT(status.error().message(), HasSubstr("pressure_level: store has 3"));
}

TEST(OverwriteGuard, asks_for_the_flags_that_a_change_needs) {
  const auto check = [](const TreeStructure& wanted, const OverwriteRequest& request) {
    const auto status =
        check_overwrite(forecast(3), wanted, "init_time", AppendChunks::kCompared, request);
    return status ? std::string() : status.error().message();
  };
  constexpr OverwriteRequest kAll{.chunks = true, .metadata = true, .explicit_append_end = true};
  EXPECT_EQ(check(forecast(3), {.chunks = true}), "");
  EXPECT_EQ(check(forecast(5), kAll), "");
  EXPECT_THAT(check(forecast(2), kAll), HasSubstr("trimming an existing store is never supported"));
  EXPECT_THAT(check(forecast(5), {.chunks = true, .metadata = true}), HasSubstr("to extend it"));
  auto grown = forecast(3);
  grown.arrays["snow"] = grown.arrays["wind_2m"];
  EXPECT_THAT(check(grown, {.chunks = true}),
              HasSubstr("snow: not in the store; pass --overwrite-metadata to add it"));
  EXPECT_EQ(check(grown, {.metadata = true}), "");
}

}  // namespace
}  // namespace icefield::dataset
