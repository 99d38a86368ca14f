#include "grib/scan/product.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace icefield::grib {
namespace {

/// Section 4 of `octets` octets, all zero but for its template number and what is put into it.
class Section4 {
 public:
  Section4(std::size_t octets, unsigned template_number) : octets_(octets) {
    put(8, template_number >> 8U).put(9, template_number & 0xFFU);
  }
  Section4& put(std::size_t octet, unsigned value) {
    octets_[octet - 1] = static_cast<std::byte>(value);
    return *this;
  }
  /// Forecast time of 6 hours; one time range that begins at `octet`: a maximum over 3 hours.
  Section4& interval(std::size_t unit, std::size_t octet) {
    put(unit, 1).put(unit + 4, 6);
    return put(octet + 7, 1).put(octet + 12, 2).put(octet + 14, 1).put(octet + 18, 3);
  }
  core::Result<Product> parse() const { return parse_product(octets_); }

 private:
  std::vector<std::byte> octets_;
};

constexpr Window kMaximum{360, 540, Statistic::kMaximum};

struct IntervalCase {
  std::string name;
  unsigned template_number;
  std::size_t octets;
  std::size_t unit;      // octet of the unit of forecast time
  std::size_t interval;  // octet of the end of the overall time interval
};

class Interval : public ::testing::TestWithParam<IntervalCase> {};

TEST_P(Interval, stands_where_the_template_has_it) {
  const auto& wanted = GetParam();
  const auto product = Section4(wanted.octets, wanted.template_number)
                           .interval(wanted.unit, wanted.interval)
                           .parse();
  ASSERT_TRUE(product) << product.error().message();
  EXPECT_EQ(window_of(*product), kMaximum);
}

// Octets and lengths are those of ecCodes 2.50's templates.
INSTANTIATE_TEST_SUITE_P(
    , Interval,
    ::testing::Values(
        IntervalCase{"plain", 8, 58, 18, 35}, IntervalCase{"member", 11, 61, 18, 38},
        IntervalCase{"probability", 9, 71, 18, 48}, IntervalCase{"percentile", 10, 59, 18, 36},
        IntervalCase{"derived", 12, 60, 18, 37}, IntervalCase{"chemical", 42, 60, 20, 37},
        IntervalCase{"aerosol", 46, 71, 31, 48}, IntervalCase{"tiles", 62, 64, 24, 41},
        IntervalCase{"tiles_member", 63, 67, 24, 44}, IntervalCase{"categories", 91, 59, 18, 36},
        IntervalCase{"reference_period", 105, 79, 18, 35}, IntervalCase{"optical", 110, 69, 29, 46},
        IntervalCase{"optical_member", 111, 72, 29, 49}),
    [](const auto& tested) { return tested.param.name; });

TEST(Product, has_its_interval_behind_the_categories) {
  const auto product = Section4(59 + 24, 91).put(35, 2).interval(18, 36 + 24).parse();
  ASSERT_TRUE(product) << product.error().message();
  EXPECT_EQ(window_of(*product), kMaximum);
}

TEST(Product, of_a_reference_period_has_its_ensemble_behind_the_ranges) {
  const auto member = Section4(82, 106).interval(18, 35).put(59, 3).put(60, 7).put(61, 51).parse();
  ASSERT_TRUE(member) << member.error().message();
  EXPECT_EQ(window_of(*member), kMaximum);
  EXPECT_EQ(member->member, (EnsembleMember{3, 7, 51}));
  const auto derived = Section4(81, 107).interval(18, 35).put(59, 4).put(60, 51).parse();
  ASSERT_TRUE(derived) << derived.error().message();
  EXPECT_EQ(derived->derived, (DerivedForecast{4, 51}));
  const auto probability = Section4(92, 112).interval(18, 35).put(59, 1).put(61, 3).parse();
  ASSERT_TRUE(probability) << probability.error().message();
  EXPECT_EQ(probability->probability->number, 1);
  EXPECT_EQ(probability->probability->type, 3);
}

TEST(Product, of_a_section_that_ends_early_is_corrupt) {
  constexpr std::size_t kShortest = 49;  // no time range, then the member
  for (std::size_t octets = 11; octets < kShortest; ++octets) {
    const auto product = Section4(octets, 106).parse();
    ASSERT_FALSE(product) << octets;
    EXPECT_EQ(product.error().code(), core::ErrorCode::kCorrupt);
  }
  EXPECT_TRUE(Section4(kShortest, 106).parse());
}

}  // namespace
}  // namespace icefield::grib
