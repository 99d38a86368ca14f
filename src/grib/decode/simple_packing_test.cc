#include "grib/decode/simple_packing.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/random.h"
#include "grib/decode/internal/unpack.h"

namespace icefield::grib {
namespace {

std::vector<std::byte> bytes(std::initializer_list<int> values) {
  std::vector<std::byte> made;
  for (const int value : values) made.push_back(static_cast<std::byte>(value));
  return made;
}

struct UnpackCase {
  std::string name;
  SimplePacking packing;
  std::vector<std::byte> packed;
  std::vector<float> expected;
};

class UnpackSimple : public ::testing::TestWithParam<UnpackCase> {};

TEST_P(UnpackSimple, gives_the_values_of_the_formula) {
  std::vector<float> out(GetParam().expected.size());
  const auto status = decode_packed(GetParam().packing, GetParam().packed, std::span(out));
  ASSERT_TRUE(status) << status.error().message();
  EXPECT_EQ(out, GetParam().expected);
}

// columns: name, {R, E, D, bits}, packed octets, expected values
INSTANTIATE_TEST_SUITE_P(
    , UnpackSimple,
    ::testing::Values(
        UnpackCase{"constant_field", {273.5F, 0, 0, 0}, {}, {273.5F, 273.5F}},
        UnpackCase{"constant_field_is_not_scaled", {25, 0, 1, 0}, {}, {25}},
        UnpackCase{"whole_octets", {10, 0, 0, 8}, bytes({0x00, 0x01, 0xFF}), {10, 11, 265}},
        UnpackCase{
            "values_across_octets", {0, 0, 0, 12}, bytes({0xAB, 0xC1, 0x23}), {0xABC, 0x123}},
        UnpackCase{"single_bits", {1, 0, 0, 1}, bytes({0xA0}), {2, 1, 2, 1}},
        UnpackCase{"binary_scale", {0, -1, 0, 8}, bytes({0x03}), {1.5F}},
        UnpackCase{"decimal_scale", {25, 0, 1, 8}, bytes({0x05}), {3}},
        UnpackCase{"negative_decimal_scale", {1, 0, -2, 8}, bytes({0x05}), {600}},
        UnpackCase{"negative_reference", {-4, 2, 0, 8}, bytes({0x01, 0x02}), {0, 4}},
        UnpackCase{"full_width", {0, 0, 0, 32}, bytes({0xFF, 0xFF, 0xFF, 0x00}), {4294967040.0F}}),
    [](const auto& tested) { return tested.param.name; });

TEST(UnpackSimpleErrors, refuses_a_section_shorter_than_the_grid) {
  std::vector<float> out(3);
  const auto packed = bytes({1, 2});
  const auto status = decode_packed(SimplePacking{.bits_per_value = 8}, packed, std::span(out));
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code(), core::ErrorCode::kCorrupt);
}

class SimpleWidth : public ::testing::TestWithParam<unsigned> {};

/// Number `index`, bit by bit.
std::uint32_t number_at(std::span<const std::byte> packed, std::size_t index, unsigned width) {
  std::uint32_t number = 0;
  for (std::size_t bit = index * width; bit < (index + 1) * width; ++bit) {
    number = number << 1U | (std::to_integer<unsigned>(packed[bit / 8]) >> (7 - bit % 8) & 1U);
  }
  return number;
}

TEST_P(SimpleWidth, gives_each_number_its_own_bits_at_every_length) {
  const unsigned width = GetParam();
  std::uint64_t state = 17 + width;
  const SimplePacking packing{
      .reference_value = -3.25F, .binary_scale = -4, .decimal_scale = 2, .bits_per_value = width};
  for (const std::size_t count : {1U, 7U, 8U, 9U, 63U, 64U, 65U, 200U}) {
    std::vector<std::byte> packed((count * width + 7) / 8);
    for (auto& octet : packed) octet = static_cast<std::byte>(core::splitmix64(state));
    std::vector<double> out(count);
    ASSERT_TRUE(decode_packed(packing, packed, std::span(out)));
    for (std::size_t i = 0; i < count; ++i) {
      const double x = number_at(packed, i, width);
      EXPECT_EQ(out[i], (x * 0.0625 - 3.25) * (1.0 / 10 / 10)) << i << " of " << count;
    }
  }
}

TEST_P(SimpleWidth, is_the_same_with_and_without_vectors) {
  const unsigned width = GetParam();
  std::uint64_t state = 99 + width;
  std::vector<std::byte> packed(500 * width / 8 + 1);
  for (auto& octet : packed) octet = static_cast<std::byte>(core::splitmix64(state));
  for (unsigned phase = 0; phase < 8; ++phase) {
    const PackedIntegers integers{.bytes = packed, .first_bit = phase, .width = width};
    std::vector<std::uint32_t> by_vectors(490);
    std::vector<std::uint32_t> plain(490);
    unpack(integers, by_vectors);
    allow_vectors(false);
    unpack(integers, plain);
    allow_vectors(true);
    EXPECT_EQ(by_vectors, plain) << "phase " << phase;
  }
}

INSTANTIATE_TEST_SUITE_P(, SimpleWidth, ::testing::Range(1U, 33U));

}  // namespace
}  // namespace icefield::grib
