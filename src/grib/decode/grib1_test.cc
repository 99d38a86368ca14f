#include "grib/decode/grib1.h"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "grib/decode/internal/grib1_section.h"

namespace icefield::grib {
namespace {

std::vector<std::byte> bytes(std::initializer_list<int> values) {
  std::vector<std::byte> made;
  for (const int value : values) made.push_back(static_cast<std::byte>(value));
  return made;
}

TEST(IbmFloat, has_a_sign_an_exponent_to_base_16_and_a_fraction) {
  EXPECT_EQ(ibm_float(0), 0.0);
  EXPECT_EQ(ibm_float(0x41100000), 1.0);
  EXPECT_EQ(ibm_float(0xC1100000), -1.0);
  EXPECT_EQ(ibm_float(0x42640000), 100.0);
  EXPECT_EQ(ibm_float(0xC276A000), -118.625);
  EXPECT_EQ(ibm_float(0x40800000), 0.5);
}

// R = 1, E = -1, 8 bits, three values and an octet of padding
std::vector<std::byte> simple_section() {
  return bytes({0, 0, 15, 0x08, 0x80, 1, 0x41, 0x10, 0, 0, 8, 0, 3, 6, 0});
}

TEST(Grib1, simple_packing_follows_the_formula) {
  const auto section = simple_section();
  std::vector<double> out(3);
  ASSERT_TRUE(decode_grib1({.section4 = section, .decimal_scale = 1}, std::span(out)));
  EXPECT_EQ(out, (std::vector<double>{1.0 * 0.1, 2.5 * 0.1, 4.0 * 0.1}));
}

TEST(Grib1, bitmap_leaves_points_out) {
  const auto section = simple_section();
  const auto bitmap = bytes({0xB0});
  std::vector<double> out(4);
  ASSERT_TRUE(decode_grib1({.section4 = section, .bitmap = bitmap}, std::span(out)));
  EXPECT_EQ(out[0], 1.0);
  EXPECT_TRUE(std::isnan(out[1]));
  EXPECT_EQ(out[2], 2.5);
  EXPECT_EQ(out[3], 4.0);
}

TEST(Grib1, binary_scale_of_all_ones_means_no_data) {
  auto section = simple_section();
  section[4] = section[5] = std::byte{0xFF};
  std::vector<double> out(3);
  ASSERT_TRUE(decode_grib1({.section4 = section}, std::span(out)));
  for (const double value : out) EXPECT_TRUE(std::isnan(value));
}

TEST(Grib1, counts_the_values_that_a_section_holds) {
  EXPECT_EQ(grib1_value_count(simple_section()), 3U);  // 8 unused bits
  auto constant = simple_section();
  constant[10] = std::byte{0};
  EXPECT_EQ(grib1_value_count(constant), std::nullopt);
  EXPECT_EQ(grib1_value_count({}), std::nullopt);
}

struct KindCase {
  std::string name;
  int flags;
  int more_flags;
  Grib1Packing expected;
};

class Grib1Kind : public ::testing::TestWithParam<KindCase> {};

TEST_P(Grib1Kind, is_told_by_the_flags) {
  std::vector<std::byte> section(30);
  section[3] = static_cast<std::byte>(GetParam().flags);
  section[13] = static_cast<std::byte>(GetParam().more_flags);
  const auto kind = grib1_packing(section);
  ASSERT_TRUE(kind) << kind.error().message();
  EXPECT_EQ(*kind, GetParam().expected);
}

// columns: name, octet 4, octet 14, packing
INSTANTIATE_TEST_SUITE_P(
    , Grib1Kind,
    ::testing::Values(KindCase{"simple", 0x08, 0, Grib1Packing::kSimple},
                      KindCase{"integers", 0x28, 0, Grib1Packing::kSimple},
                      KindCase{"ieee", 0x30, 0, Grib1Packing::kIeee},
                      KindCase{"rows", 0x40, 0x10, Grib1Packing::kSecondOrderRowByRow},
                      KindCase{"constant_width", 0x40, 0x20,
                               Grib1Packing::kSecondOrderConstantWidth},
                      KindCase{"general", 0x40, 0x30, Grib1Packing::kSecondOrderGeneral},
                      KindCase{"extended", 0x40, 0x1A, Grib1Packing::kSecondOrderExtended}),
    [](const auto& tested) { return tested.param.name; });

TEST(Grib1Errors, name_what_is_not_supported) {
  std::vector<std::byte> section(30);
  section[3] = std::byte{0x80};
  EXPECT_EQ(grib1_packing(section).error().code(), core::ErrorCode::kUnsupported);
  section[3] = std::byte{0x10};
  EXPECT_EQ(grib1_packing(section).error().code(), core::ErrorCode::kUnsupported);
  section[3] = std::byte{0x40};
  section[13] = std::byte{0x40};
  EXPECT_EQ(grib1_packing(section).error().code(), core::ErrorCode::kUnsupported);
  EXPECT_EQ(grib1_packing(std::span(section).first(10)).error().code(), core::ErrorCode::kCorrupt);
  EXPECT_EQ(grib1_packing(std::span(section).first(20)).error().code(), core::ErrorCode::kCorrupt);
}

/// A section by the manual's second-order packing: R = 0, E = 0, first-order values of 8 bits.
/// Octets: widths from 22, then whatever `more` holds; N1 and N2 point into it.
std::vector<std::byte> second_order(int flags, int n_groups, int first, int second,
                                    std::initializer_list<int> more) {
  auto made =
      bytes({0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 8, 0, first, flags, 0, second, 0, n_groups, 0, 0, 0});
  const auto rest = bytes(more);
  made.insert(made.end(), rest.begin(), rest.end());
  return made;
}

TEST(SecondOrder, row_by_row_has_a_group_for_each_row) {
  // widths 4 and 0; first-order values 10 and 20; numbers 1, 2, 3
  const auto section = second_order(0x10, 2, 24, 26, {4, 0, 10, 20, 0x12, 0x30});
  const std::vector<std::uint32_t> rows = {3, 2};
  std::vector<double> out(5);
  const auto status = decode_grib1({.section4 = section, .row_lengths = rows}, std::span(out));
  ASSERT_TRUE(status) << status.error().message();
  EXPECT_EQ(out, (std::vector<double>{11, 12, 13, 20, 20}));
}

TEST(SecondOrder, row_by_row_counts_the_points_that_a_bitmap_keeps) {
  const auto section = second_order(0x10, 2, 24, 26, {4, 0, 10, 20, 0x12, 0x30});
  const std::vector<std::uint32_t> rows = {4, 2};
  const auto bitmap = bytes({0xDC});  // 110111
  std::vector<double> out(6);
  const auto status =
      decode_grib1({.section4 = section, .bitmap = bitmap, .row_lengths = rows}, std::span(out));
  ASSERT_TRUE(status) << status.error().message();
  EXPECT_TRUE(std::isnan(out[2]));
  out[2] = 0;
  EXPECT_EQ(out, (std::vector<double>{11, 12, 0, 13, 20, 20}));
}

TEST(SecondOrder, constant_width_has_groups_by_the_secondary_bitmap) {
  // width 4; groups begin at points 0 and 3
  const auto section = second_order(0x20, 2, 24, 26, {4, 0x90, 10, 20, 0x12, 0x34, 0x50});
  std::vector<double> out(5);
  const auto status = decode_grib1({.section4 = section}, std::span(out));
  ASSERT_TRUE(status) << status.error().message();
  EXPECT_EQ(out, (std::vector<double>{11, 12, 13, 24, 25}));
}

TEST(SecondOrder, general_packing_has_a_width_for_each_group) {
  const auto section = second_order(0x30, 2, 25, 27, {4, 0, 0x90, 10, 20, 0x12, 0x30});
  std::vector<double> out(5);
  const auto status = decode_grib1({.section4 = section}, std::span(out));
  ASSERT_TRUE(status) << status.error().message();
  EXPECT_EQ(out, (std::vector<double>{11, 12, 13, 20, 20}));
}

TEST(SecondOrderErrors, rows_that_do_not_fit_are_the_callers_fault) {
  const auto section = second_order(0x10, 2, 24, 26, {4, 0, 10, 20, 0x12, 0x30});
  const std::vector<std::uint32_t> rows = {3, 3};
  std::vector<double> out(5);
  const auto status = decode_grib1({.section4 = section, .row_lengths = rows}, std::span(out));
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code(), core::ErrorCode::kInvalidArgument);
}

TEST(SecondOrderErrors, pointers_outside_the_section_are_corrupt) {
  const auto section = second_order(0x20, 2, 240, 26, {4, 0x90, 10, 20, 0x12, 0x34, 0x50});
  std::vector<double> out(5);
  EXPECT_EQ(decode_grib1({.section4 = section}, std::span(out)).error().code(),
            core::ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace icefield::grib
