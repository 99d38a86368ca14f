#include "zarr/chunk_key.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace icefield::zarr {
namespace {

constexpr ChunkKeyEncoding kSlash{};
constexpr ChunkKeyEncoding kDot{ChunkKeyEncoding::Kind::kDefault, '.'};
constexpr ChunkKeyEncoding kV2{ChunkKeyEncoding::Kind::kV2, '.'};
constexpr ChunkKeyEncoding kV2Slash{ChunkKeyEncoding::Kind::kV2, '/'};

struct KeyCase {
  std::string name;
  ChunkKeyEncoding encoding;
  ChunkIndex index;
  std::string key;
};

class Key : public testing::TestWithParam<KeyCase> {};

TEST_P(Key, is_written_and_read_back) {
  const auto& [name, encoding, index, key] = GetParam();
  EXPECT_EQ(chunk_key(encoding, index), key);
  EXPECT_EQ(parse_chunk_key(encoding, key, index.value().size()), index);
  EXPECT_EQ(parse_chunk_key(encoding, key, index.value().size() + 2), std::nullopt);
  EXPECT_EQ(*read_chunk_key_encoding(write_chunk_key_encoding(encoding)), encoding);
}

// Zarr v3 core, chunk key encoding
INSTANTIATE_TEST_SUITE_P(
    , Key,
    testing::Values(KeyCase{"default_slash", kSlash, ChunkIndex({10302, 0, 4294967295}),
                            "c/10302/0/4294967295"},
                    KeyCase{"default_dot", kDot, ChunkIndex({1, 20}), "c.1.20"},
                    KeyCase{"default_scalar", kSlash, ChunkIndex(), "c"},
                    KeyCase{"v2", kV2, ChunkIndex({1, 20}), "1.20"},
                    KeyCase{"v2_slash", kV2Slash, ChunkIndex({0, 3}), "0/3"},
                    KeyCase{"v2_scalar", kV2, ChunkIndex(), "0"}),
    [](const auto& tested) { return tested.param.name; });

TEST(ChunkKeys, of_another_spelling_is_no_chunk) {
  for (const std::string key : {"", "c", "c/", "c/1", "c/1/", "c/1/2/3", "c/01/2", "c/1/-2",
                                "c/1/ 2", "c.1.2", "1/2", "c/1/4294967296", "zarr.json", "d/1/2"}) {
    EXPECT_EQ(parse_chunk_key(kSlash, key, 2), std::nullopt) << key;
  }
  EXPECT_EQ(parse_chunk_key(kSlash, "c/0", 0), std::nullopt);
  EXPECT_EQ(parse_chunk_key(kV2, "00", 1), std::nullopt);
}

TEST(ChunkKeys, encoding_defaults_to_the_separator_of_its_kind) {
  EXPECT_EQ(*read_chunk_key_encoding(*core::Json::parse(R"({"name": "v2"})")), kV2);
  EXPECT_EQ(*read_chunk_key_encoding(*core::Json::parse(R"({"name": "default"})")), kSlash);
  EXPECT_FALSE(read_chunk_key_encoding(*core::Json::parse(R"({"name": "suffix"})")));
  EXPECT_FALSE(read_chunk_key_encoding(
      *core::Json::parse(R"({"name": "v2", "configuration": {"separator": "-"}})")));
}

}  // namespace
}  // namespace icefield::zarr
