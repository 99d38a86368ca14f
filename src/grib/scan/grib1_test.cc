#include "grib/scan/grib1.h"

#include <array>
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

namespace icefield::grib {
namespace {

/// Section 1 of 28 octets with the times of code tables 4 and 5.
std::array<std::byte, 28> section1(int unit, int p1, int p2, int time_range) {
  std::array<std::byte, 28> section{};
  const auto set = [&section](std::size_t octet, int value) {
    section[octet - 1] = static_cast<std::byte>(value);
  };
  set(3, 28);
  set(4, 128);  // table version
  set(5, 98);   // centre
  set(8, 0x80);
  set(9, 167);
  set(10, 1);
  set(13, 24);
  set(14, 2);
  set(15, 29);
  set(16, 12);
  set(18, unit);
  set(19, p1);
  set(20, p2);
  set(21, time_range);
  set(25, 21);  // century
  return section;
}

struct TimesCase {
  std::string name;
  int time_range;
  int unit;
  int p1;
  int p2;
  std::int64_t start_minutes;
  std::int64_t end_minutes;
};

class Times : public ::testing::TestWithParam<TimesCase> {};

TEST_P(Times, are_those_of_code_table_5) {
  const auto& wanted = GetParam();
  const auto section = section1(wanted.unit, wanted.p1, wanted.p2, wanted.time_range);
  const auto definition = parse_grib1_definition(section);
  ASSERT_TRUE(definition) << definition.error().message();
  const auto window = window_of(definition->product);
  ASSERT_TRUE(window);
  EXPECT_EQ(window->start_minutes, wanted.start_minutes);
  EXPECT_EQ(window->end_minutes, wanted.end_minutes);
}

// Steps are what ecCodes 2.50 gives for the same octets.
INSTANTIATE_TEST_SUITE_P(, Times,
                         ::testing::Values(TimesCase{"forecast", 0, 1, 6, 9, 360, 360},
                                           TimesCase{"three_hours", 0, 10, 3, 0, 540, 540},
                                           TimesCase{"quarters", 0, 13, 6, 0, 90, 90},
                                           TimesCase{"half_hours", 0, 14, 6, 0, 180, 180},
                                           TimesCase{"initialized", 1, 1, 3, 6, 180, 180},
                                           TimesCase{"valid_between", 2, 1, 3, 6, 180, 360},
                                           TimesCase{"average", 3, 2, 0, 6, 0, 8640},
                                           TimesCase{"accumulation", 4, 1, 6, 12, 360, 720},
                                           TimesCase{"difference", 5, 11, 3, 6, 1080, 2160},
                                           TimesCase{"two_octets", 10, 1, 1, 4, 15600, 15600},
                                           TimesCase{"of_forecasts", 113, 1, 6, 12, 360, 360},
                                           TimesCase{"covariance", 118, 1, 200, 250, 12000, 15000},
                                           TimesCase{"deviation", 119, 12, 3, 6, 2160, 4320}),
                         [](const auto& tested) { return tested.param.name; });

TEST(Grib1Definition, knows_its_date_and_what_follows) {
  const auto section = section1(1, 6, 0, 0);
  const auto definition = parse_grib1_definition(section);
  ASSERT_TRUE(definition);
  EXPECT_EQ(core::format_timestamp(*definition->reference_time), "2024-02-29T12:00:00");
  EXPECT_TRUE(definition->has_grid);
  EXPECT_FALSE(definition->has_bitmap);
}

TEST(Grib1Definition, of_less_than_28_octets_is_corrupt) {
  const auto section = section1(1, 6, 0, 0);
  for (std::size_t size = 0; size < section.size(); ++size) {
    const auto definition = parse_grib1_definition(std::span(section).first(size));
    ASSERT_FALSE(definition) << size;
    EXPECT_EQ(definition.error().code(), core::ErrorCode::kCorrupt);
  }
}

}  // namespace
}  // namespace icefield::grib
