#include "sample_source/spatial_differencing.h"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/random.h"
#include "core/text.h"
#include "sample_source/testing/eccodes_decode.h"

namespace icefield::sample_source {
namespace {

using Missing = SpatialDifferencing::MissingValues;

/// Encodes, has ecCodes decode, and compares with the formula of template 5.3 point by point.
void expect_decodes_to(const std::vector<std::int32_t>& values, const SpatialDifferencing& how) {
  const auto sections = encode_spatial_differencing(values, how);
  ASSERT_TRUE(sections) << sections.error().message();
  const auto no_bitmap = core::to_bytes(std::string("\0\0\0\6\6\xFF", 6));
  const auto message =
      wrap_sections(values.size(), sections->section5, no_bitmap, sections->section7);
  const auto decoded = decode_with_eccodes(message);
  ASSERT_TRUE(decoded) << decoded.error().message();
  EXPECT_EQ(decoded->packing_type, "grid_complex_spatial_differencing");
  ASSERT_EQ(decoded->values.size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == kMissingPoint) {
      ASSERT_TRUE(std::isnan(decoded->values[i])) << "point " << i;
      continue;
    }
    const double wanted =
        (double{how.scale.reference_value} + std::ldexp(values[i], how.scale.binary_scale)) /
        std::pow(10.0, how.scale.decimal_scale);
    ASSERT_NEAR(decoded->values[i], wanted, std::abs(wanted) * 1e-12) << "point " << i;
  }
}

/// `count` values below 2^bits; every tenth or so missing when wanted.
std::vector<std::int32_t> noise(std::size_t count, unsigned bits, Missing missing) {
  std::uint64_t state = bits + 1000 * count;
  std::vector<std::int32_t> values;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t drawn = core::splitmix64(state);
    const bool absent = missing == Missing::kPrimary && i > 4 && (drawn >> 40U) % 10 == 0;
    values.push_back(absent ? kMissingPoint
                            : static_cast<std::int32_t>(drawn & ((std::uint64_t{1} << bits) - 1)));
  }
  return values;
}

struct OrderCase {
  std::uint8_t order;
  Missing missing;
};

class SpatialDifferencingOrders : public testing::TestWithParam<OrderCase> {
 protected:
  SpatialDifferencing how(const Scale& scale) const {
    return {.scale = scale, .order = GetParam().order, .missing = GetParam().missing};
  }
};

TEST_P(SpatialDifferencingOrders, every_width_of_values_decodes_to_the_formula) {
  for (unsigned bits = 1; bits <= 26; ++bits) {
    SCOPED_TRACE(bits);
    expect_decodes_to(noise(3000, bits, GetParam().missing), how({273.5F, -4, 0}));
  }
}

TEST_P(SpatialDifferencingOrders, every_short_length_decodes_to_the_formula) {
  for (std::size_t count = GetParam().order + 1U; count < 70; ++count) {
    SCOPED_TRACE(count);
    expect_decodes_to(noise(count, 9, GetParam().missing), how({-20.0F, 2, 1}));
  }
}

TEST_P(SpatialDifferencingOrders, fields_without_noise_decode_to_the_formula) {
  std::vector<std::int32_t> ramp;
  std::vector<std::int32_t> parabola;
  for (std::int32_t i = 0; i < 5000; ++i) {
    ramp.push_back(i);
    parabola.push_back((i - 2500) * (i - 2500) / 7);
  }
  expect_decodes_to(std::vector<std::int32_t>(5000, 7), how({1.0F, 0, 0}));
  expect_decodes_to(ramp, how({0, -3, 0}));
  expect_decodes_to(std::vector<std::int32_t>(ramp.rbegin(), ramp.rend()), how({0, 0, 3}));
  expect_decodes_to(parabola, how({0, 0, -2}));
}

INSTANTIATE_TEST_SUITE_P(, SpatialDifferencingOrders,
                         testing::Values(OrderCase{1, Missing::kNone}, OrderCase{2, Missing::kNone},
                                         OrderCase{1, Missing::kPrimary},
                                         OrderCase{2, Missing::kPrimary}),
                         [](const auto& tested) {
                           return core::text(
                               "order", int{tested.param.order},
                               tested.param.missing == Missing::kNone ? "" : "missing");
                         });

TEST(SpatialDifferencing, keeps_missing_points_apart_from_the_values_around_them) {
  for (const std::uint8_t order : {std::uint8_t{1}, std::uint8_t{2}}) {
    const SpatialDifferencing how{.order = order, .missing = Missing::kPrimary};
    std::vector<std::int32_t> values(640, kMissingPoint);  // whole groups of missing points
    for (std::size_t i = 100; i < 200; ++i) values[i] = static_cast<std::int32_t>(i % 3);
    values[639] = 5;
    expect_decodes_to(values, how);
    std::fill(values.begin() + 100, values.begin() + 200, 4);  // constant beside missing
    expect_decodes_to(values, how);
    values.assign(640, 1);
    values[0] = kMissingPoint;
    expect_decodes_to(values, how);
  }
}

TEST(SpatialDifferencing, writes_the_sections_that_the_template_asks_for) {
  const std::vector<std::int32_t> values = {5, 6, 8, 9, 11, 12};
  const auto sections = encode_spatial_differencing(values, {.scale = {2.0F, -1, 3}, .order = 2});
  ASSERT_TRUE(sections);
  // second differences: 1 -1 1 -1; minimum -1 (0x81); group reference 0, width 2, length 6
  // clang-format off
  const std::vector<int> section5 = {
      0, 0, 0, 49, 5, 0, 0, 0, 6, 0, 3,  0x40, 0, 0, 0, 0x80, 1, 0, 3, 1, 0, 1, 0,
      0, 0, 0, 0,  0, 0, 0, 0, 0, 0, 0, 1,  0, 2, 0, 0, 0, 1, 1, 0, 0, 0, 6, 3, 2, 1};
  const std::vector<int> section7 = {
      0, 0, 0, 13, 7,  5, 6, 0x81,  0x00, 0x80, 0xA0,  0b00001000, 0b10000000};
  // clang-format on
  const auto numbers = [](const core::Bytes& bytes) {
    std::vector<int> made;
    for (const std::byte one : bytes) made.push_back(std::to_integer<int>(one));
    return made;
  };
  EXPECT_EQ(numbers(sections->section5), section5);
  EXPECT_EQ(numbers(sections->section7), section7);
}

struct RefusedCase {
  std::string name;
  std::vector<std::int32_t> values;
  SpatialDifferencing how;
};

class SpatialDifferencingRefuses : public testing::TestWithParam<RefusedCase> {};

TEST_P(SpatialDifferencingRefuses, what_it_cannot_write) {
  const auto sections = encode_spatial_differencing(GetParam().values, GetParam().how);
  ASSERT_FALSE(sections);
  EXPECT_EQ(sections.error().code(), core::ErrorCode::kInvalidArgument);
}

INSTANTIATE_TEST_SUITE_P(
    , SpatialDifferencingRefuses,
    testing::Values(RefusedCase{"order_zero", {1, 2, 3}, {.order = 0}},
                    RefusedCase{"order_three", {1, 2, 3, 4, 5}, {.order = 3}},
                    RefusedCase{"negative_value", {1, -2, 3}, {.order = 1}},
                    RefusedCase{"value_above_the_limit", {1, kPackedLimit, 3}, {.order = 1}},
                    RefusedCase{"missing_point_where_off", {1, kMissingPoint, 3, 4}, {.order = 1}},
                    RefusedCase{"no_points", {}, {.order = 1}},
                    RefusedCase{"as_many_points_as_the_order", {1, 2}, {.order = 2}},
                    RefusedCase{"one_present_point",
                                {kMissingPoint, 2, kMissingPoint},
                                {.order = 1, .missing = Missing::kPrimary}}),
    [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace icefield::sample_source
