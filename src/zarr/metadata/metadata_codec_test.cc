#include "zarr/metadata/metadata_codec.h"

#include <filesystem>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "core/bytes.h"
#include "core/file.h"

namespace icefield::zarr {
namespace {

const std::filesystem::path kGolden =
    std::filesystem::path(ICEFIELD_SOURCE_DIR) / "tests/golden/zarr";

std::string read_text(const std::filesystem::path& path) {
  const auto bytes = core::read_file(path);
  EXPECT_TRUE(bytes) << path;
  return bytes ? std::string(core::as_text(*bytes)) : std::string();
}

std::vector<std::filesystem::path> documents_below(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().filename() == "zarr.json") found.push_back(entry.path());
  }
  return found;
}

TEST(Metadata, of_the_provider_is_reproduced_byte_for_byte) {
  const auto paths = documents_below(kGolden / "documents");
  ASSERT_EQ(paths.size(), 18U);
  for (const auto& path : paths) {
    std::string text = read_text(path);
    const auto node = read_metadata(text);
    ASSERT_TRUE(node) << path << ": " << node.error().message();
    if (text.ends_with('\n')) text.pop_back();
    EXPECT_EQ(write_metadata(*node), text) << path;
  }
}

TEST(Metadata, of_zarr_python_is_reproduced_byte_for_byte) {
  const auto paths = documents_below(kGolden / "arrays");
  ASSERT_EQ(paths.size(), 21U);
  for (const auto& path : paths) {
    const std::string text = read_text(path);
    const auto node = read_metadata(text);
    ASSERT_TRUE(node) << path << ": " << node.error().message();
    EXPECT_EQ(write_metadata(*node), text) << path;
  }
}

/// ZARR-1: fill values JSON cannot hold
TEST(Metadata, zarr_1_fill_values_survive_bit_for_bit) {
  const std::map<std::string, std::uint64_t> expected = {
      {"fill_nan_string", 0x7FC00000}, {"fill_inf", 0x7F800000},
      {"fill_neg_inf", 0xFF800000},    {"fill_nan_payload_hex", 0x7FC00001},
      {"fill_neg_zero", 0x80000000},
  };
  for (const auto& [name, bits] : expected) {
    const auto array = read_array_metadata(read_text(kGolden / "fill_values" / name / "zarr.json"));
    ASSERT_TRUE(array) << name << ": " << array.error().message();
    EXPECT_EQ(array->fill_value.bits, bits) << name;
    const std::string written = write_metadata(*array);
    EXPECT_TRUE(core::Json::parse(written)) << written;  // the parser is strict
    EXPECT_EQ(*read_array_metadata(written), *array) << name;
  }
}

TEST(Metadata, zarr_1_refuses_fill_values_that_are_none) {
  const auto null = read_metadata(read_text(kGolden / "fill_values/fill_bad_null/zarr.json"));
  ASSERT_FALSE(null);
  EXPECT_NE(null.error().message().find("fill_value"), std::string::npos);
  const auto bare = read_metadata(read_text(kGolden / "fill_values/fill_bad_bare_nan/zarr.json"));
  ASSERT_FALSE(bare);
  EXPECT_NE(bare.error().message().find("fill_value"), std::string::npos) << bare.error().message();
}

TEST(Metadata, nan_in_attributes_is_written_as_strict_json) {
  GroupMetadata group;
  group.attributes.set("limit", std::numeric_limits<double>::quiet_NaN());
  EXPECT_TRUE(core::Json::parse(write_metadata(group)));
}

constexpr std::string_view kArray = R"({
  "attributes": {"z": 1, "a": {"y": [1.0, 2]}, "m": "text"},
  "shape": [4, 6], "data_type": "float32",
  "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2, 3]}},
  "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
  "fill_value": 0, "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}, "crc32c"],
  "dimension_names": ["y", null], "zarr_format": 3, "node_type": "array"})";

std::string with(std::string_view from, std::string_view to) {
  std::string text(kArray);
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(Metadata, keeps_unknown_attributes_in_their_order) {
  const auto array = read_array_metadata(kArray);
  ASSERT_TRUE(array) << array.error().message();
  EXPECT_EQ(array->attributes.dump(), R"({"z":1,"a":{"y":[1.0,2]},"m":"text"})");
  EXPECT_EQ((*array->dimension_names)[1], std::nullopt);
  EXPECT_EQ(array->codecs[1], (Extension{"crc32c", {}}));
  EXPECT_EQ(*read_array_metadata(write_metadata(*array)), *array);
}

TEST(Metadata, keeps_members_that_may_be_ignored_and_refuses_others) {
  const auto kept = read_array_metadata(
      with("\"zarr_format\"", R"("extra": {"must_understand": false, "v": 1}, "zarr_format")"));
  ASSERT_TRUE(kept) << kept.error().message();
  EXPECT_NE(write_metadata(*kept).find("\"extra\""), std::string::npos);
  const auto refused = read_array_metadata(with("\"zarr_format\"", R"("extra": 1, "zarr_format")"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), core::ErrorCode::kUnsupported);
}

TEST(Metadata, names_what_is_wrong) {
  struct Row {
    std::string_view from, to, named;
    core::ErrorCode code;
  };
  using enum core::ErrorCode;
  const Row rows[] = {
      {"\"float32\"", "\"string\"", "data_type", kUnsupported},
      {"\"float32\"", "3", "data_type", kCorrupt},
      {"[4, 6]", "[4, -6]", "shape", kCorrupt},
      {"[4, 6]", "[4, 6.5]", "shape", kCorrupt},
      {"[2, 3]", "[2]", "chunk_shape", kCorrupt},
      {"[2, 3]", "[2, 0]", "chunk_shape", kCorrupt},
      {"\"regular\"", "\"rectilinear\"", "chunk_grid", kUnsupported},
      {"\"default\"", "\"other\"", "chunk_key_encoding", kUnsupported},
      {"\"fill_value\": 0", "\"fill_value\": \"x\"", "fill_value", kCorrupt},
      {"[\"y\", null]", "[\"y\"]", "dimension_names", kCorrupt},
      {"\"zarr_format\": 3", "\"zarr_format\": 2", "zarr_format", kUnsupported},
      {"\"node_type\": \"array\"", "\"node_type\": \"tree\"", "node_type", kCorrupt},
      {", \"zarr_format\"", ", \"storage_transformers\": [1], \"zarr_format\"",
       "storage_transformers", kUnsupported},
      {"\"shape\"", "\"attributes\"", "attributes", kCorrupt},  // twice
  };
  for (const auto& row : rows) {
    const auto read = read_metadata(with(row.from, row.to));
    ASSERT_FALSE(read) << row.to;
    EXPECT_EQ(read.error().code(), row.code) << read.error().message();
    EXPECT_NE(read.error().message().find(row.named), std::string::npos) << read.error().message();
  }
  EXPECT_FALSE(read_group_metadata(kArray));
}

TEST(Metadata, keeps_consolidated_metadata_of_others) {
  const auto group = read_group_metadata(
      R"({"attributes": {}, "zarr_format": 3, "node_type": "group",
          "consolidated_metadata": {"kind": "inline", "metadata": {}}})");
  ASSERT_TRUE(group);
  ASSERT_TRUE(group->consolidated);
  EXPECT_EQ(*read_group_metadata(write_metadata(*group)), *group);
}

}  // namespace
}  // namespace icefield::zarr
