#include "dataset/template.h"

#include <cmath>
#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/file.h"
#include "dataset/coordinate_values.h"
#include "dataset/testing/teaching_spec.h"
#include "zarr/codec/codec_chain.h"

namespace icefield::dataset {
namespace {

using teaching::kAnalysis;
using teaching::kForecast;
using testing::ElementsAre;
using testing::HasSubstr;

template <typename T>
std::vector<T> values_of(const core::Bytes& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

const zarr::ArrayMetadata& array_at(const Template& made, const std::string& path) {
  const auto node = std::ranges::find(made.nodes, path, &TemplateNode::path);
  return std::get<zarr::ArrayMetadata>(node->metadata);
}

TEST(Template, puts_each_coordinate_into_every_group_that_has_its_dimensions) {
  const auto made = generate_template(kForecast, 2);
  ASSERT_TRUE(made);
  std::vector<std::string> paths;
  for (const auto& node : made->nodes) paths.push_back(node.path);
  EXPECT_THAT(paths,
              ElementsAre("", "expected_forecast_length", "ingested_forecast_length", "init_time",
                          "lead_time", "pressure_level", "pressure_level/expected_forecast_length",
                          "pressure_level/ingested_forecast_length", "pressure_level/init_time",
                          "pressure_level/lead_time", "pressure_level/pressure_level",
                          "pressure_level/spatial_ref", "pressure_level/temperature",
                          "pressure_level/valid_time", "pressure_level/x", "pressure_level/y",
                          "rain_surface", "spatial_ref", "valid_time", "wind_2m", "x", "y"));
  EXPECT_EQ(array_at(*made, "pressure_level/temperature").shape, (zarr::Shape{2, 6, 4, 2, 2}));
  EXPECT_EQ(array_at(*made, "valid_time").chunk_shape, (zarr::Shape{29200, 6}));
}

TEST(Template, shards_materialized_variables) {
  const auto made = generate_template(kAnalysis, 100);
  const auto& wind = array_at(*made, "wind_2m");
  EXPECT_EQ(wind.data_type, zarr::DataType::kFloat32);
  EXPECT_EQ(wind.chunk_shape, (zarr::Shape{48, 4, 2}));
  const auto chain = zarr::CodecChain::of(wind);
  ASSERT_TRUE(chain) << chain.error().message();
  EXPECT_EQ(wind.codecs[0].configuration.find("chunk_shape")->dump(), "[24,2,2]");
  EXPECT_EQ(wind.codecs[0].configuration.find("index_location")->as_string(), "end");
}

TEST(Template, writes_fill_values_as_base64_of_float64) {
  DatasetSpec spec = kForecast;
  Variable row = kForecast.variables[1];
  row.options.fill = -273.15;
  spec.variables = {&row, 1};
  spec.groups = spec.groups.first(1);
  const auto made = generate_template(spec, 1);
  const auto& array = array_at(*made, "wind_2m");
  EXPECT_EQ(array.attributes.find("_FillValue")->as_string(), "ZmZmZmYSccA=");  // numpy's bytes
  EXPECT_EQ(array.fill_value, zarr::fill_of(-273.15));
}

TEST(CoordinateValues, follow_from_the_dimensions) {
  const auto get = [](std::string_view name, const Region& positions) {
    const auto found = std::ranges::find(kForecast.coordinates, name, &Coordinate::name);
    return *CoordinateValues(kForecast).of(*found, positions);
  };
  EXPECT_THAT(values_of<std::int64_t>(get("init_time", {1, 3})),
              ElementsAre(1577858400, 1577880000));
  EXPECT_THAT(values_of<double>(get("lead_time", {0, 9})),
              ElementsAre(0, 3600, 7200, 10800, 21600, 32400));
  EXPECT_THAT(values_of<double>(get("y", {0, 1})), ElementsAre(4.5, 1.5, -1.5, -4.5));
  EXPECT_THAT(values_of<std::int64_t>(get("pressure_level", {0, 1})), ElementsAre(1000, 500));
  EXPECT_THAT(values_of<double>(get("expected_forecast_length", {3, 5})),
              ElementsAre(21600, 32400));
  EXPECT_EQ(values_of<std::int64_t>(get("valid_time", {1, 3}))[7], 1577880000 + 3600);
  EXPECT_TRUE(std::isnan(values_of<double>(get("ingested_forecast_length", {0, 1}))[0]));
  EXPECT_THAT(values_of<std::int64_t>(get("spatial_ref", {0, 1})), ElementsAre(0));
}

TEST(CoordinateChunks, hold_values_and_then_fill_values) {
  const auto chunks = coordinate_chunks(kForecast, 2);
  ASSERT_TRUE(chunks) << chunks.error().message();
  ASSERT_EQ(chunks->size(), 8U);  // ingested_forecast_length is all missing: no chunk
  for (const auto& chunk : *chunks) {
    EXPECT_EQ(chunk.array_paths.size(),
              chunk.array_paths[0] == "pressure_level/pressure_level" ? 1U : 2U);
    if (chunk.array_paths[0] != "init_time") continue;
    EXPECT_EQ(chunk.index, zarr::ChunkIndex({0}));
    const auto made = generate_template(kForecast, 2);
    const auto codecs = zarr::CodecChain::of(array_at(*made, "init_time"));
    const auto values = values_of<std::int64_t>(*codecs->decode(chunk.bytes));
    ASSERT_EQ(values.size(), 29200U);
    EXPECT_EQ(values[1], 1577858400);
    EXPECT_EQ(values[2], 0);
  }
}

TEST(CoordinateChunks, are_only_those_that_growth_touches) {
  DatasetSpec spec = kForecast;
  spec.append_coordinate_chunk = 4;
  const auto chunks = growing_coordinate_chunks(spec, {6, 9});
  ASSERT_TRUE(chunks);
  std::vector<std::pair<std::string, std::uint32_t>> found;
  for (const auto& chunk : *chunks) {
    found.emplace_back(chunk.array_paths[0], chunk.index.value()[0]);
  }
  EXPECT_THAT(found, ElementsAre(std::pair("init_time", 1), std::pair("init_time", 2),
                                 std::pair("valid_time", 1), std::pair("valid_time", 2),
                                 std::pair("expected_forecast_length", 1),
                                 std::pair("expected_forecast_length", 2)));
}

TEST(Template, is_refused_when_it_is_not_of_this_version) {
  EXPECT_THAT(get_template(kForecast, 1).error().message(), HasSubstr("run update-template"));
  static constexpr TemplateText kOther[] = {
      {"zarr.json",
       R"({"attributes": {"dataset_id": "teaching-forecast-virtual", "dataset_version": "0.0.9"},
           "zarr_format": 3, "node_type": "group"})"}};
  DatasetSpec spec = kForecast;
  spec.checked_in_template = [] { return std::span<const TemplateText>(kOther); };
  EXPECT_THAT(get_template(spec, 1).error().message(), HasSubstr("run update-template"));
  static constexpr TemplateText kBroken[] = {{"zarr.json", "{"}};
  spec.checked_in_template = [] { return std::span<const TemplateText>(kBroken); };
  EXPECT_EQ(get_template(spec, 1).error().code(), core::ErrorCode::kCorrupt);
}

TEST(Template, is_written_as_one_file_per_node_and_cleans_up) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / "icefield_template_test";
  std::filesystem::remove_all(folder);
  ASSERT_TRUE(core::write_file(folder / "gone/zarr.json", {}));
  ASSERT_TRUE(core::write_file(folder / "notes.txt", {}));
  ASSERT_TRUE(write_template(kForecast, folder));
  EXPECT_FALSE(std::filesystem::exists(folder / "gone/zarr.json"));
  EXPECT_TRUE(std::filesystem::exists(folder / "notes.txt"));
  const auto files = template_files(kForecast);
  ASSERT_TRUE(files);
  for (const TemplateFile& file : *files) {
    const auto bytes = core::read_file(folder / file.name);
    ASSERT_TRUE(bytes) << file.name;
    EXPECT_EQ(core::as_text(*bytes), file.content);
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace icefield::dataset
