#include "datasets/all_datasets.h"

#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/file.h"
#include "dataset/template.h"

namespace icefield::datasets {
namespace {

using testing::HasSubstr;

TEST(AllDatasets, are_found_by_id) {
  for (const auto* const spec : all_datasets()) EXPECT_EQ(*find_dataset(spec->id), spec);
  EXPECT_TRUE(std::ranges::is_sorted(all_datasets(), {}, &dataset::DatasetSpec::id));
  const auto unknown = find_dataset("noaa-gfs");
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().message(), HasSubstr("noaa-hrrr-forecast-48-hour-virtual"));
}

/// The checked-in files say what the code says; after a change run update-template.
TEST(AllDatasets, equal_their_checked_in_templates) {
  for (const auto* const spec : all_datasets()) {
    const auto made = dataset::template_files(*spec);
    ASSERT_TRUE(made) << made.error().message();
    const auto checked_in = spec->checked_in_template();
    ASSERT_EQ(made->size(), checked_in.size()) << spec->id;
    for (std::size_t i = 0; i < made->size(); ++i) {
      ASSERT_EQ((*made)[i].name, checked_in[i].name) << spec->id;
      EXPECT_EQ((*made)[i].content, checked_in[i].content) << spec->id << ' ' << checked_in[i].name;
    }
  }
}

TEST(AllDatasets, expand_their_templates_as_the_code_would) {
  for (const auto* const spec : all_datasets()) {
    const auto expanded = dataset::get_template(*spec, 10303);
    const auto generated = dataset::generate_template(*spec, 10303);
    ASSERT_TRUE(expanded) << expanded.error().message();
    ASSERT_EQ(expanded->nodes.size(), generated->nodes.size());
    for (std::size_t i = 0; i < expanded->nodes.size(); ++i) {
      EXPECT_EQ(expanded->nodes[i].path, generated->nodes[i].path);
      EXPECT_EQ(zarr::write_metadata(expanded->nodes[i].metadata),
                zarr::write_metadata(generated->nodes[i].metadata));
    }
  }
}

TEST(AllDatasets, reproduce_the_provider_s_documents) {
  const auto folder = std::filesystem::path(ICEFIELD_SOURCE_DIR) /
                      "tests/golden/zarr/documents/noaa-hrrr-forecast-48-hour-virtual";
  const auto made = dataset::template_files(**find_dataset("noaa-hrrr-forecast-48-hour-virtual"));
  std::size_t compared = 0;
  for (const auto& file : *made) {
    const auto expected = core::read_file(folder / file.name);
    if (!expected) continue;
    std::string text(core::as_text(*expected));
    if (text.ends_with('\n')) text.pop_back();
    EXPECT_EQ(file.content, text) << file.name;
    ++compared;
  }
  EXPECT_EQ(compared, 18U);
}

TEST(AllDatasets, grow_only_along_the_append_dimension) {
  const auto& spec = **find_dataset("noaa-hrrr-forecast-48-hour-virtual");
  const auto slice = dataset::append_slice(spec, 5, 6);
  ASSERT_TRUE(slice) << slice.error().message();
  EXPECT_EQ(slice->nodes.size(), 176U + 3 * 3);  // init_time, valid_time, expected length per group
  EXPECT_EQ(slice->chunks.size(), 3U);
  for (const auto& node : slice->nodes) {
    EXPECT_EQ(std::get<zarr::ArrayMetadata>(node.metadata).shape[0], 6U) << node.path;
  }
}

}  // namespace
}  // namespace icefield::datasets
