#include "zarr/codec/codec_chain.h"

#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/file.h"
#include "core/random.h"
#include "zarr/codec/crc32c.h"
#include "zarr/metadata/metadata_codec.h"

namespace icefield::zarr {
namespace {

const std::filesystem::path kArrays =
    std::filesystem::path(ICEFIELD_SOURCE_DIR) / "tests/golden/zarr/arrays";

core::Bytes read_bytes(const std::filesystem::path& path) {
  auto bytes = core::read_file(path);
  return bytes ? *std::move(bytes) : core::Bytes();
}

struct Golden {
  ArrayMetadata array;
  core::Bytes values;                                      // the whole array
  std::vector<std::pair<ChunkIndex, core::Bytes>> chunks;  // encoded, those that exist
};

Golden load(const std::string& name) {
  const auto folder = kArrays / name;
  auto array = read_array_metadata(core::as_text(read_bytes(folder / "zarr.json")));
  EXPECT_TRUE(array) << array.error().message();
  Golden golden{*std::move(array), read_bytes(folder / "values.bin"), {}};
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const auto key = std::filesystem::relative(entry.path(), folder).generic_string();
    const auto index =
        parse_chunk_key(golden.array.chunk_key_encoding, key, golden.array.shape.size());
    if (entry.is_regular_file() && index) golden.chunks.emplace_back(*index, read_bytes(entry));
  }
  return golden;
}

/// Compares the part of a chunk that lies inside the array with the whole array's values.
void expect_equal(const Golden& golden, const ChunkIndex& index, const core::Bytes& chunk) {
  const Shape& shape = golden.array.chunk_shape;
  const std::size_t element = size_of(golden.array.data_type);
  for (std::size_t i = 0; i * element < chunk.size(); ++i) {
    std::size_t at = 0;
    bool inside = true;
    std::size_t left = i;
    std::vector<std::size_t> position(shape.size());
    for (std::size_t d = shape.size(); d-- > 0; left /= shape[d]) {
      position[d] = index.value()[d] * shape[d] + left % shape[d];
    }
    for (std::size_t d = 0; d < shape.size(); ++d) {
      inside = inside && position[d] < golden.array.shape[d];
      at = at * golden.array.shape[d] + position[d];
    }
    if (!inside) continue;
    ASSERT_EQ(std::memcmp(&chunk[i * element], &golden.values[at * element], element), 0)
        << "element " << i;
  }
}

class Codecs : public testing::TestWithParam<std::string> {};

TEST_P(Codecs, read_what_zarr_python_wrote) {
  const Golden golden = load(GetParam());
  ASSERT_FALSE(golden.chunks.empty());
  const auto chain = CodecChain::of(golden.array);
  ASSERT_TRUE(chain) << chain.error().message();
  for (const auto& [index, encoded] : golden.chunks) {
    const auto values = chain->decode(encoded);
    ASSERT_TRUE(values) << values.error().message();
    ASSERT_EQ(values->size(), chain->chunk_bytes());
    expect_equal(golden, index, *values);
    const auto again = chain->encode(*values);
    ASSERT_TRUE(again) << again.error().message();
    EXPECT_EQ(*chain->decode(*again), *values);
  }
}

TEST_P(Codecs, survive_cut_and_changed_bytes) {
  const Golden golden = load(GetParam());
  const auto chain = CodecChain::of(golden.array);
  ASSERT_TRUE(chain);
  const core::Bytes& encoded = golden.chunks.front().second;
  std::uint64_t state = 20250801;  // the seed
  for (int round = 0; round < 300; ++round) {
    core::Bytes bad = encoded;
    bad.resize(core::splitmix64(state) % (bad.size() + 1));
    for (int flips = round % 4; flips > 0 && !bad.empty(); --flips) {
      bad[core::splitmix64(state) % bad.size()] ^= std::byte{1} << (core::splitmix64(state) % 8);
    }
    const auto values = chain->decode(bad);
    if (values) {
      EXPECT_EQ(values->size(), chain->chunk_bytes());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, Codecs,
                         testing::Values("bytes_little", "bytes_big", "one_byte", "truth",
                                         "blosc_zstd", "blosc_lz4", "blosc_lz4hc", "blosc_blosclz",
                                         "blosc_zlib", "zstd", "zstd_checksum", "gzip", "crc32c",
                                         "two_compressors", "transpose", "scale_offset",
                                         "sharding_end", "sharding_start", "scalar", "v2_keys",
                                         "dot_keys"),
                         [](const auto& tested) { return tested.param; });

TEST(CodecChains, write_the_bytes_that_zarr_python_writes) {
  for (const std::string name : {"bytes_big", "crc32c", "transpose", "blosc_zstd", "blosc_lz4"}) {
    const Golden golden = load(name);
    const auto chain = CodecChain::of(golden.array);
    for (const auto& [index, encoded] : golden.chunks) {
      EXPECT_EQ(*chain->encode(*chain->decode(encoded)), encoded) << name;
    }
  }
}

Extension codec(const std::string& name, const std::string& configuration = "{}") {
  return {name, *core::Json::parse(configuration)};
}

const Extension kLittle = codec("bytes", R"({"endian": "little"})");
const ChunkSpec kChunk{DataType::kFloat32, {4, 6}, {}};

TEST(CodecChains, refuse_a_wrong_chain) {
  using enum core::ErrorCode;
  const std::vector<std::pair<std::vector<Extension>, core::ErrorCode>> rows = {
      {{}, kCorrupt},
      {{codec("gzip"), kLittle}, kCorrupt},
      {{kLittle, kLittle}, kCorrupt},
      {{kLittle, codec("transpose", R"({"order": [1, 0]})")}, kCorrupt},
      {{codec("bytes")}, kCorrupt},
      {{codec("bytes", R"({"endian": "middle"})")}, kCorrupt},
      {{codec("transpose", R"({"order": [1, 1]})"), kLittle}, kCorrupt},
      {{codec("transpose", R"({"order": [2, 0]})"), kLittle}, kCorrupt},
      {{kLittle, codec("zstd", R"({"level": 99})")}, kCorrupt},
      {{kLittle, codec("blosc", R"({"cname": "brotli"})")}, kCorrupt},
      {{kLittle, codec("blosc", R"({"typesize": 0})")}, kCorrupt},
      {{codec("scale_offset", R"({"scale": 0})"), kLittle}, kCorrupt},
      {{codec("gribberish")}, kCorrupt},
      {{codec("sharding_indexed", R"({"chunk_shape": [3, 6]})")}, kCorrupt},
      {{kLittle, codec("zstd", R"({"window": 3})")}, kCorrupt},
      {{kLittle, codec("crc32c", R"({"level": 3})")}, kCorrupt},
      {{kLittle, codec("brotli")}, kUnsupported},
  };
  for (const auto& [codecs, code] : rows) {
    const auto chain = CodecChain::make(codecs, kChunk);
    ASSERT_FALSE(chain);
    EXPECT_EQ(chain.error().code(), code) << chain.error().message();
  }
  const std::vector<Extension> plain = {kLittle};
  EXPECT_FALSE(CodecChain::make(plain, {DataType::kFloat64, {1U << 20, 1U << 20}, {}}));
}

TEST(CodecChains, gribberish_is_known_but_not_decoded_here) {
  const std::vector<Extension> codecs = {
      codec("scale_offset", R"({"offset": -273.15})"),
      codec("gribberish", R"({"var": "TMP", "adjust_longitude_range": true, "north_up": true})")};
  const auto chain = CodecChain::make(codecs, kChunk);
  ASSERT_TRUE(chain) << chain.error().message();
  const core::Bytes values(chain->chunk_bytes());
  EXPECT_EQ(chain->encode(values).error().code(), core::ErrorCode::kUnsupported);
  EXPECT_EQ(chain->decode(values).error().code(), core::ErrorCode::kUnsupported);
}

TEST(CodecChains, never_give_more_than_one_chunk) {
  const ChunkSpec large{DataType::kUint8, {1U << 20}, {}};
  const ChunkSpec small{DataType::kUint8, {1U << 10}, {}};
  for (const std::string name : {"zstd", "gzip", "blosc"}) {
    const std::vector<Extension> codecs = {kLittle, codec(name)};
    const auto bomb = CodecChain::make(codecs, large)->encode(core::Bytes(1U << 20));
    ASSERT_TRUE(bomb);
    const auto values = CodecChain::make(codecs, small)->decode(*bomb);
    ASSERT_FALSE(values) << name;
    EXPECT_THAT(values.error().message(), testing::HasSubstr("longer than its chunk"));
  }
}

TEST(CodecChains, join_gzip_members) {
  const std::vector<Extension> codecs = {kLittle, codec("gzip")};
  const ChunkSpec half{DataType::kUint8, {5}, {}};
  const ChunkSpec whole{DataType::kUint8, {10}, {}};
  const auto member = *CodecChain::make(codecs, half)->encode(core::to_bytes("abcde"));
  core::Bytes two = member;
  two.insert(two.end(), member.begin(), member.end());
  EXPECT_EQ(*CodecChain::make(codecs, whole)->decode(two), core::to_bytes("abcdeabcde"));
}

TEST(Crc32c, gives_the_checksums_of_rfc_3720) {
  EXPECT_EQ(crc32c(core::to_bytes("123456789")), 0xE3069283U);
  EXPECT_EQ(crc32c(core::Bytes(32)), 0x8A9136AAU);
  EXPECT_EQ(crc32c(core::Bytes(32, std::byte{0xFF})), 0x62A8AB43U);
}

}  // namespace
}  // namespace icefield::zarr
