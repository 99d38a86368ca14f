#include "grib/decode/representation.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace icefield::grib {
namespace {

/// Section 5 with its frame: 7 values, the template's number, then `octets` 12 and on.
std::vector<std::byte> section5(int template_number, const std::vector<int>& octets) {
  std::vector<int> all = {0, 0, 0, static_cast<int>(octets.size()) + 11, 5, 0, 0, 0, 7};
  all.push_back(template_number >> 8);
  all.push_back(template_number & 0xFF);
  all.insert(all.end(), octets.begin(), octets.end());
  std::vector<std::byte> made;
  made.reserve(all.size());
  for (const int octet : all) made.push_back(static_cast<std::byte>(octet));
  return made;
}

// R = 1.5, E = -2, D = 3, 12 bits, floating point originals
const std::vector<int> kSimple = {0x3F, 0xC0, 0, 0, 0x80, 2, 0, 3, 12, 0};
constexpr SimplePacking kExpected{
    .reference_value = 1.5F, .binary_scale = -2, .decimal_scale = 3, .bits_per_value = 12};

std::vector<int> after_simple(std::initializer_list<int> more) {
  std::vector<int> octets = kSimple;
  octets.insert(octets.end(), more);
  return octets;
}

const std::vector<int> kGroups =
    after_simple({1, 2, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 1, 0, 3, 4, 0, 0, 0, 5, 6, 0, 0, 0, 7, 8});
const ComplexPacking kExpectedGroups{.simple = kExpected,
                                     .missing = MissingValues::kPrimaryAndSecondary,
                                     .n_groups = 256,
                                     .width_reference = 3,
                                     .width_bits = 4,
                                     .length_reference = 5,
                                     .length_increment = 6,
                                     .last_length = 7,
                                     .length_bits = 8};

ComplexPacking differenced() {
  ComplexPacking packing = kExpectedGroups;
  packing.has_descriptors = true;
  packing.spatial_order = 2;
  packing.descriptor_octets = 3;
  return packing;
}

std::vector<int> with_differences() {
  std::vector<int> octets = kGroups;
  octets.insert(octets.end(), {2, 3});
  return octets;
}

struct ParseCase {
  std::string name;
  int template_number;
  std::vector<int> octets;  // from octet 12 on
  Packing expected;
  unsigned bits;
};

class Parse : public ::testing::TestWithParam<ParseCase> {};

TEST_P(Parse, reads_every_octet_of_the_template) {
  const auto& tested = GetParam();
  const auto section = section5(tested.template_number, tested.octets);
  const auto parsed = parse_representation(section);
  ASSERT_TRUE(parsed) << parsed.error().message();
  EXPECT_EQ(parsed->n_packed, 7U);
  EXPECT_EQ(parsed->template_number, tested.template_number);
  EXPECT_EQ(parsed->packing, tested.expected);
  EXPECT_EQ(bits_per_value(*parsed), tested.bits);
}

TEST_P(Parse, refuses_every_shorter_section) {
  const auto section = section5(GetParam().template_number, GetParam().octets);
  const std::size_t least = GetParam().template_number == 0 ? section.size() - 1 : section.size();
  for (std::size_t size = 0; size < least; ++size) {
    // octet 21, the type of the original values, is not needed
    const bool enough = size >= 20 && std::holds_alternative<Jpeg2000Packing>(GetParam().expected);
    if (enough || (size >= 20 && std::holds_alternative<PngPacking>(GetParam().expected))) break;
    EXPECT_FALSE(parse_representation(std::span(section).first(size))) << size;
  }
}

// columns: name, template, octets from 12 on, packing, bits per value
INSTANTIATE_TEST_SUITE_P(
    , Parse,
    ::testing::Values(
        ParseCase{"simple", 0, kSimple, kExpected, 12},
        ParseCase{"complex", 2, kGroups, kExpectedGroups, 12},
        ParseCase{"differenced", 3, with_differences(), differenced(), 12},
        ParseCase{"ieee_32", 4, {1}, IeeePacking{.bytes_per_value = 4}, 32},
        ParseCase{"ieee_64", 4, {2}, IeeePacking{.bytes_per_value = 8}, 64},
        ParseCase{"jpeg2000", 40, after_simple({0, 255}), Jpeg2000Packing{kExpected}, 12},
        ParseCase{"jpeg2000_older", 40000, after_simple({0, 255}), Jpeg2000Packing{kExpected}, 12},
        ParseCase{"png", 41, kSimple, PngPacking{kExpected}, 12},
        ParseCase{"png_older", 40010, kSimple, PngPacking{kExpected}, 12},
        ParseCase{
            "ccsds", 42, after_simple({14, 32, 1, 0}),
            CcsdsPacking{
                .simple = kExpected, .flags = 14, .block_size = 32, .reference_interval = 256},
            12},
        ParseCase{"logarithm",
                  61,
                  {0x3F, 0xC0, 0, 0, 0x80, 2, 0, 3, 12, 0x40, 0, 0, 0},
                  LogPacking{.simple = kExpected, .parameter = 2},
                  12},
        ParseCase{
            "run_length",
            200,
            {8, 0, 2, 0, 2, 0x81, 0, 10, 1, 0},
            RunLengthPacking{
                .bits_per_value = 8, .max_level = 2, .decimal_scale = -1, .levels = {10, 256}},
            8}),
    [](const auto& tested) { return tested.param.name; });

struct RefuseCase {
  std::string name;
  int template_number;
  std::vector<int> octets;
  core::ErrorCode code;
  std::string says;
};

class Refuse : public ::testing::TestWithParam<RefuseCase> {};

TEST_P(Refuse, names_what_is_wrong) {
  const auto& tested = GetParam();
  const auto parsed = parse_representation(section5(tested.template_number, tested.octets));
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().code(), tested.code);
  EXPECT_THAT(parsed.error().message(), ::testing::HasSubstr(tested.says));
}

std::vector<int> changed(std::vector<int> octets, std::size_t octet, int value) {
  octets[octet - 12] = value;
  return octets;
}

constexpr auto kUnsupported = core::ErrorCode::kUnsupported;
constexpr auto kCorrupt = core::ErrorCode::kCorrupt;

INSTANTIATE_TEST_SUITE_P(
    , Refuse,
    ::testing::Values(
        RefuseCase{"matrix", 1, {}, kUnsupported, "5.1 (grid_simple_matrix)"},
        RefuseCase{"spectral", 50, {}, kUnsupported, "5.50 (spectral_simple)"},
        RefuseCase{"spectral_complex", 51, {}, kUnsupported, "5.51 (spectral_complex)"},
        RefuseCase{"bifourier", 53, {}, kUnsupported, "5.53 (bifourier_complex)"},
        RefuseCase{"local", 50002, {}, kUnsupported, "5.50002 (unknown)"},
        RefuseCase{"ieee_128", 4, {3}, kUnsupported, "IEEE precision 3"},
        RefuseCase{"simple_33_bits", 0, changed(kSimple, 20, 33), kUnsupported, "33 bits"},
        RefuseCase{"order_3", 3, changed(with_differences(), 48, 3), kUnsupported, "order 3"},
        RefuseCase{"management_3", 2, changed(kGroups, 23, 3), kUnsupported, "management 3"},
        RefuseCase{"descriptors", 3, changed(with_differences(), 49, 5), kCorrupt, "5 octets"},
        RefuseCase{"wide_widths", 2, changed(kGroups, 37, 33), kCorrupt, "33 bits"},
        RefuseCase{"levels_cut", 200, {8, 0, 2, 0, 2, 0, 0, 10}, kCorrupt, "2 level values"},
        RefuseCase{"level_bits", 200, {2, 0, 4, 0, 0, 0}, kCorrupt, "2 bits for levels up to 4"}),
    [](const auto& tested) { return tested.param.name; });

TEST(PackingName, is_the_usual_one) {
  EXPECT_EQ(packing_name(42), "grid_ccsds");
  EXPECT_EQ(packing_name(51), "spectral_complex");
  EXPECT_EQ(packing_name(777), "unknown");
}

}  // namespace
}  // namespace icefield::grib
