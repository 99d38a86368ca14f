#include "grib/decode/ccsds_packing.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <libaec.h>

#include "core/random.h"
#include "grib/decode/internal/unpack.h"

namespace icefield::grib {
namespace {

enum class Shape { kSmooth, kNoise, kMostlyZero, kNearTheTop };

/// Numbers of `width` bits.
std::vector<std::uint32_t> make_numbers(Shape shape, unsigned width, std::size_t count) {
  const std::uint64_t greatest = (std::uint64_t{1} << width) - 1;
  std::uint64_t state = width * 31 + static_cast<unsigned>(shape);
  std::uint64_t at = greatest / 2;
  std::vector<std::uint32_t> made;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t random = core::splitmix64(state);
    if (shape == Shape::kNoise) {
      at = random & greatest;
    } else if (shape == Shape::kSmooth) {
      at = std::clamp<std::uint64_t>(at + random % 9, 4, greatest + 4) - 4;
    } else if (shape == Shape::kMostlyZero) {
      at = random % 300 == 0 ? random >> 40U & greatest
           : i % 500 < 30    ? random >> 60U & greatest
                             : 0;
    } else {
      at = greatest - std::min(greatest, random % 5);
    }
    made.push_back(static_cast<std::uint32_t>(std::min(at, greatest)));
  }
  return made;
}

/// The independent encoder's stream for `numbers`, each handed over in whole big-endian octets.
std::vector<std::byte> encode(const std::vector<std::uint32_t>& numbers,
                              const CcsdsPacking& packing) {
  const unsigned width = packing.simple.bits_per_value;
  const unsigned octets = width > 16 ? 4 : width > 8 ? 2 : 1;
  std::vector<unsigned char> raw;
  for (const std::uint32_t number : numbers) {
    for (unsigned i = octets; i-- > 0;)
      raw.push_back(static_cast<unsigned char>(number >> (8 * i)));
  }
  std::vector<std::byte> stream(raw.size() * 2 + 4096);
  aec_stream encoder{};
  encoder.bits_per_sample = width;
  encoder.block_size = packing.block_size;
  encoder.rsi = packing.reference_interval;
  encoder.flags = (packing.flags & ~2U) | AEC_DATA_MSB;
  encoder.next_in = raw.data();
  encoder.avail_in = raw.size();
  encoder.next_out = reinterpret_cast<unsigned char*>(stream.data());
  encoder.avail_out = stream.size();
  EXPECT_EQ(aec_buffer_encode(&encoder), AEC_OK);
  stream.resize(encoder.total_out);
  return stream;
}

void expect_decoded(const std::vector<std::byte>& stream, const CcsdsPacking& packing,
                    const std::vector<std::uint32_t>& numbers) {
  const std::vector<double> expected(numbers.begin(), numbers.end());
  for (const bool vectors : {true, false}) {
    allow_vectors(vectors);
    std::vector<double> out(numbers.size());
    const auto status = decode_packed(packing, stream, std::span(out));
    ASSERT_TRUE(status) << status.error().message();
    ASSERT_EQ(out, expected) << "vectors: " << vectors;
  }
  allow_vectors(true);
}

class CcsdsWidth : public ::testing::TestWithParam<unsigned> {};

TEST_P(CcsdsWidth, gives_back_what_the_reference_encoder_was_given) {
  for (const Shape shape :
       {Shape::kSmooth, Shape::kNoise, Shape::kMostlyZero, Shape::kNearTheTop}) {
    for (const unsigned block : {8U, 16U, 32U, 64U}) {
      for (const unsigned interval : {1U, 7U, 128U}) {
        const CcsdsPacking packing{.simple = {.bits_per_value = GetParam()},
                                   .flags = 14,
                                   .block_size = block,
                                   .reference_interval = interval};
        const auto numbers = make_numbers(shape, GetParam(), 3001);
        SCOPED_TRACE(std::to_string(static_cast<int>(shape)) + " block " + std::to_string(block) +
                     " interval " + std::to_string(interval));
        expect_decoded(encode(numbers, packing), packing, numbers);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, CcsdsWidth, ::testing::Range(1U, 33U));

TEST(Ccsds, works_without_prediction) {
  const CcsdsPacking packing{
      .simple = {.bits_per_value = 12}, .flags = 4, .block_size = 16, .reference_interval = 10};
  const auto numbers = make_numbers(Shape::kMostlyZero, 12, 2000);
  expect_decoded(encode(numbers, packing), packing, numbers);
}

TEST(Ccsds, knows_the_restricted_options_of_narrow_samples) {
  for (unsigned width = 1; width <= 4; ++width) {
    const CcsdsPacking packing{.simple = {.bits_per_value = width},
                               .flags = 14 | AEC_RESTRICTED,
                               .block_size = 16,
                               .reference_interval = 10};
    const auto numbers = make_numbers(Shape::kNoise, width, 2000);
    expect_decoded(encode(numbers, packing), packing, numbers);
  }
}

TEST(Ccsds, every_cut_of_a_stream_is_corrupt) {
  const CcsdsPacking packing{
      .simple = {.bits_per_value = 12}, .flags = 14, .block_size = 16, .reference_interval = 4};
  const auto numbers = make_numbers(Shape::kSmooth, 12, 500);
  const auto stream = encode(numbers, packing);
  std::vector<float> out(numbers.size());
  for (std::size_t size = 0; size + 1 < stream.size(); ++size) {
    const std::vector<std::byte> cut(stream.begin(),
                                     stream.begin() + static_cast<std::ptrdiff_t>(size));
    const auto status = decode_packed(packing, cut, std::span(out));
    ASSERT_FALSE(status) << size;
    EXPECT_EQ(status.error().code(), core::ErrorCode::kCorrupt);
  }
}

TEST(Ccsds, refuses_layouts_that_do_not_exist) {
  std::vector<float> out(8);
  const std::vector<std::byte> data(100);
  const auto code = [&](CcsdsPacking packing) {
    packing.simple.bits_per_value = 8;
    return decode_packed(packing, data, std::span(out)).error().code();
  };
  EXPECT_EQ(code({.flags = 14, .block_size = 0, .reference_interval = 1}),
            core::ErrorCode::kCorrupt);
  EXPECT_EQ(code({.flags = 14, .block_size = 9, .reference_interval = 1}),
            core::ErrorCode::kCorrupt);
  EXPECT_EQ(code({.flags = 14, .block_size = 8, .reference_interval = 0}),
            core::ErrorCode::kCorrupt);
  EXPECT_EQ(code({.flags = 15, .block_size = 8, .reference_interval = 1}),
            core::ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace icefield::grib
