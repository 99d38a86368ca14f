#include "zarr/shard/shard_reader.h"

#include <cstring>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "core/file.h"
#include "zarr/metadata/metadata_codec.h"

namespace icefield::zarr {
namespace {

const std::filesystem::path kArrays =
    std::filesystem::path(ICEFIELD_SOURCE_DIR) / "tests/golden/zarr/arrays";

class Shard : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const auto folder = kArrays / GetParam();
    const auto document = core::read_file(folder / "zarr.json");
    array_ = *read_array_metadata(core::as_text(*document));
    values_ = *core::read_file(folder / "values.bin");
    shard_ = *core::read_file(folder / "c/0/0");
  }

  ArrayMetadata array_;
  core::Bytes values_;
  core::Bytes shard_;
};

TEST_P(Shard, gives_each_inner_chunk_of_zarr_python) {
  const core::BytesReader source(shard_, "c/0/0");
  const auto reader = ShardReader::open(array_, source);
  ASSERT_TRUE(reader) << reader.error().message();
  ASSERT_EQ(reader->counts(), (Shape{2, 2}));
  for (std::uint32_t i = 0; i < 2; ++i) {
    for (std::uint32_t j = 0; j < 2; ++j) {
      const auto chunk = reader->read_chunk(ChunkIndex({i, j}));
      ASSERT_TRUE(chunk) << chunk.error().message();
      for (std::size_t row = 0; row < 4; ++row) {  // inner chunks of 4 x 3 in an array of 16 x 12
        const std::size_t at = ((i * 4 + row) * 12 + j * 3) * 4;
        EXPECT_EQ(std::memcmp(&(*chunk)[row * 12], &values_[at], 12), 0) << i << j << row;
      }
    }
  }
  EXPECT_FALSE(*reader->find(ChunkIndex({0, 0})));  // all NaN: not stored
  EXPECT_TRUE(*reader->find(ChunkIndex({1, 0})));
  EXPECT_FALSE(reader->find(ChunkIndex({2, 0})));
  EXPECT_FALSE(reader->find(ChunkIndex({0})));
}

TEST_P(Shard, refuses_a_damaged_index) {
  for (std::size_t at = 0; at < shard_.size(); ++at) {
    core::Bytes bad = shard_;
    bad[at] ^= std::byte{0x40};
    const core::BytesReader source(bad, "c/0/0");
    const auto reader = ShardReader::open(array_, source);
    const std::size_t index_bytes = 2 * 2 * 16 + 4;
    const bool in_index =
        GetParam() == "sharding_start" ? at < index_bytes : at >= bad.size() - index_bytes;
    EXPECT_EQ(bool(reader), !in_index) << at;
  }
  const core::BytesReader source(std::span<const std::byte>(shard_).first(10), "c/0/0");
  EXPECT_EQ(ShardReader::open(array_, source).error().code(), core::ErrorCode::kCorrupt);
}

INSTANTIATE_TEST_SUITE_P(, Shard, testing::Values("sharding_end", "sharding_start"),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace icefield::zarr
