#include "grib/decode/complex_packing.h"

#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/random.h"
#include "grib/decode/internal/unpack.h"

namespace icefield::grib {
namespace {

/// A bit stream under construction; parts end on whole octets.
class Stream {
 public:
  Stream& put(std::uint64_t number, unsigned width) {
    for (unsigned bit = width; bit-- > 0;) bits_.push_back((number >> bit & 1U) != 0);
    return *this;
  }
  Stream& end_part() {
    while (bits_.size() % 8 != 0) bits_.push_back(false);
    return *this;
  }
  std::vector<std::byte> octets() {
    end_part();
    std::vector<std::byte> made(bits_.size() / 8);
    for (std::size_t i = 0; i < bits_.size(); ++i) {
      if (bits_[i]) made[i / 8] |= static_cast<std::byte>(0x80U >> (i % 8));
    }
    return made;
  }

 private:
  std::vector<bool> bits_;
};

constexpr double kMissing = -999;  // stands for NaN in expected values

struct GroupCase {
  std::string name;
  ComplexPacking packing;
  std::vector<std::byte> data;
  std::vector<double> expected;
};

/// Three groups with references of 4 bits, widths of 3 bits and lengths of 2 bits.
ComplexPacking three_groups(MissingValues missing, std::uint32_t last_length) {
  return {.simple = {.bits_per_value = 4},
          .missing = missing,
          .n_groups = 3,
          .width_bits = 3,
          .last_length = last_length,
          .length_bits = 2};
}

Stream headers(const std::vector<unsigned>& references, const std::vector<unsigned>& widths,
               const std::vector<unsigned>& lengths) {
  Stream stream;
  for (const unsigned reference : references) stream.put(reference, 4);
  stream.end_part();
  for (const unsigned width : widths) stream.put(width, 3);
  stream.end_part();
  for (const unsigned length : lengths) stream.put(length, 2);
  stream.end_part();
  return stream;
}

ComplexPacking differenced(ComplexPacking packing, unsigned order) {
  packing.has_descriptors = true;
  packing.spatial_order = order;
  packing.descriptor_octets = 1;
  return packing;
}

/// First values and the minimum, one octet each, in front of the groups.
std::vector<std::byte> after_descriptors(const std::vector<int>& descriptors, Stream groups) {
  std::vector<std::byte> made;
  made.reserve(descriptors.size());
  for (const int octet : descriptors) made.push_back(static_cast<std::byte>(octet));
  const auto rest = groups.octets();
  made.insert(made.end(), rest.begin(), rest.end());
  return made;
}

class Groups : public ::testing::TestWithParam<GroupCase> {};

TEST_P(Groups, give_the_values_of_the_manual) {
  const auto& tested = GetParam();
  for (const bool vectors : {true, false}) {
    allow_vectors(vectors);
    std::vector<double> out(tested.expected.size());
    const auto status = decode_packed(tested.packing, tested.data, std::span(out));
    allow_vectors(true);
    ASSERT_TRUE(status) << status.error().message();
    for (double& value : out) value = std::isnan(value) ? kMissing : value;
    EXPECT_EQ(out, tested.expected) << "vectors: " << vectors;
  }
}

// columns: name, packing, section 7, expected values
INSTANTIATE_TEST_SUITE_P(
    , Groups,
    ::testing::Values(
        GroupCase{"references_widths_and_lengths",
                  three_groups(MissingValues::kNone, 2),
                  headers({1, 2, 15}, {2, 0, 3}, {2, 3, 0})
                      .put(0, 2)
                      .put(3, 2)
                      .put(7, 3)
                      .put(1, 3)
                      .octets(),
                  {1, 4, 2, 2, 2, 22, 16}},
        GroupCase{"primary_missing_values",
                  three_groups(MissingValues::kPrimary, 2),
                  headers({1, 15, 14}, {2, 0, 0}, {3, 3, 0}).put(0, 2).put(3, 2).put(2, 2).octets(),
                  {1, kMissing, 3, kMissing, kMissing, kMissing, 14, 14}},
        GroupCase{"secondary_missing_values",
                  three_groups(MissingValues::kPrimaryAndSecondary, 1),
                  headers({1, 15, 14}, {2, 0, 0}, {3, 1, 0}).put(1, 2).put(3, 2).put(2, 2).octets(),
                  {2, kMissing, kMissing, kMissing, kMissing}},
        GroupCase{"marks_are_numbers_without_management",
                  three_groups(MissingValues::kNone, 1),
                  headers({1, 15, 14}, {2, 0, 0}, {1, 1, 0}).put(3, 2).octets(),
                  {4, 15, 14}},
        GroupCase{"every_group_missing",
                  three_groups(MissingValues::kPrimary, 1),
                  headers({15, 15, 15}, {0, 0, 0}, {2, 1, 0}).octets(),
                  {kMissing, kMissing, kMissing, kMissing}},
        GroupCase{"first_differences",
                  differenced(three_groups(MissingValues::kNone, 1), 1),
                  after_descriptors({10, 0x81},
                                    headers({0, 1, 3}, {2, 0, 0}, {2, 2, 0}).put(0, 2).put(2, 2)),
                  {10, 11, 11, 11, 13}},
        GroupCase{"second_differences",
                  differenced(three_groups(MissingValues::kNone, 1), 2),
                  after_descriptors({10, 12, 0x82},
                                    headers({0, 2, 5}, {2, 0, 0}, {2, 2, 0}).put(0, 2).put(0, 2)),
                  {10, 12, 14, 16, 21}},
        GroupCase{
            "differences_pass_over_missing_points",
            differenced(three_groups(MissingValues::kPrimary, 1), 1),
            after_descriptors(
                {10, 0}, headers({0, 15, 3}, {2, 0, 0}, {3, 2, 0}).put(0, 2).put(3, 2).put(2, 2)),
            {10, kMissing, 12, kMissing, kMissing, 15}},
        GroupCase{"order_0_has_no_descriptors",
                  differenced(three_groups(MissingValues::kNone, 1), 0),
                  headers({1, 2, 3}, {0, 0, 0}, {1, 1, 0}).octets(),
                  {1, 2, 3}},
        GroupCase{"no_groups_is_a_constant",
                  {.simple = {.reference_value = 25, .decimal_scale = 1}},
                  {},
                  {2.5, 2.5}}),
    [](const auto& tested) { return tested.param.name; });

struct BrokenCase {
  std::string name;
  ComplexPacking packing;
  std::vector<std::byte> data;
  std::size_t n_values;
  std::string says;
};

class BrokenGroups : public ::testing::TestWithParam<BrokenCase> {};

TEST_P(BrokenGroups, are_errors_that_say_why) {
  const auto& tested = GetParam();
  for (const bool vectors : {true, false}) {
    allow_vectors(vectors);
    std::vector<float> out(tested.n_values);
    const auto status = decode_packed(tested.packing, tested.data, std::span(out));
    allow_vectors(true);
    ASSERT_FALSE(status);
    EXPECT_THAT(status.error().message(), ::testing::HasSubstr(tested.says));
  }
}

ComplexPacking endless() {
  ComplexPacking packing = three_groups(MissingValues::kNone, 1);
  packing.n_groups = 0xFFFFFFFFU;
  return packing;
}

ComplexPacking wide() {
  ComplexPacking packing = three_groups(MissingValues::kNone, 1);
  packing.width_reference = 30;
  return packing;
}

const auto kPlain = headers({1, 2, 3}, {0, 0, 0}, {1, 1, 0}).octets();

INSTANTIATE_TEST_SUITE_P(
    , BrokenGroups,
    ::testing::Values(
        BrokenCase{"too_many_points", three_groups(MissingValues::kNone, 5), kPlain, 4,
                   "more points"},
        BrokenCase{"too_few_points", three_groups(MissingValues::kNone, 1), kPlain, 4,
                   "1 points early"},
        BrokenCase{"more_groups_than_points", endless(), kPlain, 4, "4294967295 groups"},
        BrokenCase{"numbers_cut", three_groups(MissingValues::kNone, 2),
                   headers({1, 2, 3}, {0, 0, 7}, {1, 1, 0}).put(0, 8).octets(), 4,
                   "within the groups"},
        BrokenCase{"lengths_cut", three_groups(MissingValues::kNone, 2), std::vector<std::byte>(4),
                   4, "group lengths"},
        BrokenCase{"descriptors_cut", differenced(three_groups(MissingValues::kNone, 2), 2),
                   std::vector<std::byte>(2), 4, "extra descriptors"},
        BrokenCase{
            "groups_of_33_bits", wide(),
            headers({1, 2, 3}, {3, 0, 0}, {1, 1, 0}).put(0, 64).put(0, 64).put(0, 64).octets(), 3,
            "33 bits"}),
    [](const auto& tested) { return tested.param.name; });

struct RandomGroups {
  ComplexPacking packing;
  std::vector<std::byte> data;
  std::size_t n_values = 0;
};

RandomGroups make_groups(std::uint64_t seed) {
  std::uint64_t state = seed;
  const auto below = [&state](std::uint64_t limit) { return core::splitmix64(state) % limit; };
  RandomGroups made;
  const auto reference_bits = static_cast<unsigned>(1 + below(seed % 3 == 0 ? 32 : 20));
  const auto widest = seed % 5 == 0 ? 32 : 12;
  const auto n_groups = static_cast<std::uint32_t>(1 + below(600));
  Stream stream;
  std::vector<unsigned> widths;
  std::vector<unsigned> lengths;
  for (std::uint32_t i = 0; i < n_groups; ++i) {
    stream.put(below(4) == 0 ? ~std::uint64_t{0} : core::splitmix64(state), reference_bits);
    widths.push_back(
        static_cast<unsigned>(below(3) == 0 ? 0 : below(static_cast<unsigned>(widest) + 1)));
    lengths.push_back(static_cast<unsigned>(below(10) == 0 ? below(128) : below(16)));
  }
  stream.end_part();
  for (const unsigned width : widths) stream.put(width, 6);
  stream.end_part();
  for (const unsigned length : lengths) stream.put(length, 7);
  stream.end_part();
  for (std::uint32_t i = 0; i < n_groups; ++i) {
    made.n_values += lengths[i] + 1;
    for (unsigned j = 0; j <= lengths[i]; ++j) {
      stream.put(below(9) == 0 ? ~std::uint64_t{0} - below(2) : core::splitmix64(state), widths[i]);
    }
  }
  made.packing = {.simple = {.reference_value = 3.5F,
                             .binary_scale = -3,
                             .decimal_scale = 2,
                             .bits_per_value = reference_bits},
                  .missing = MissingValues{static_cast<std::uint8_t>(below(3))},
                  .n_groups = n_groups,
                  .width_bits = 6,
                  .length_reference = 1,
                  .last_length = lengths.back() + 1,
                  .length_bits = 7};
  made.data = stream.octets();
  if (seed % 2 == 0) {
    made.packing = differenced(made.packing, static_cast<unsigned>(1 + below(2)));
    const std::vector<std::byte> front = {std::byte{7}, std::byte{250}, std::byte{0x85}};
    const std::size_t skip = 2 - made.packing.spatial_order;
    made.data.insert(made.data.begin(), front.begin() + static_cast<std::ptrdiff_t>(skip),
                     front.end());
  }
  return made;
}

TEST(RandomGroups, are_the_same_with_and_without_vectors) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const auto made = make_groups(seed);
    std::vector<double> by_vectors(made.n_values);
    std::vector<double> plain(made.n_values);
    const auto first = decode_packed(made.packing, made.data, std::span(by_vectors));
    allow_vectors(false);
    const auto second = decode_packed(made.packing, made.data, std::span(plain));
    allow_vectors(true);
    ASSERT_TRUE(first) << first.error().message() << ", seed " << seed;
    ASSERT_TRUE(second);
    for (std::size_t i = 0; i < plain.size(); ++i) {
      ASSERT_TRUE(by_vectors[i] == plain[i] || (std::isnan(by_vectors[i]) && std::isnan(plain[i])))
          << "seed " << seed << ", point " << i << ": " << by_vectors[i] << " and " << plain[i];
    }
  }
}

}  // namespace
}  // namespace icefield::grib
