#include "sample_source/quantity.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sample_source/provider.h"

namespace icefield::sample_source {
namespace {

struct CodeCase {
  std::string element;
  std::string level;
  std::vector<int> code;  // discipline, category, number
};

class QuantityCodes : public testing::TestWithParam<CodeCase> {};

TEST_P(QuantityCodes, are_those_of_the_provider) {
  const auto quantity = find_quantity(GetParam().element, GetParam().level);
  ASSERT_TRUE(quantity) << quantity.error().message();
  EXPECT_EQ((std::vector<int>{quantity->discipline, quantity->category, quantity->number}),
            GetParam().code);
}

// read from the provider's files with ecCodes
INSTANTIATE_TEST_SUITE_P(
    , QuantityCodes,
    testing::Values(CodeCase{"TMP", "surface", {0, 0, 0}},
                    CodeCase{"UGRD", "10 m above ground", {0, 2, 2}},
                    CodeCase{"VVCSH", "0-1000 m above ground", {0, 2, 16}},
                    CodeCase{"CFRZR", "surface", {0, 1, 34}},
                    CodeCase{"HPBL", "surface", {0, 3, 18}}, CodeCase{"APCP", "surface", {0, 1, 8}},
                    CodeCase{"SSRUN", "surface", {1, 0, 6}},
                    CodeCase{"MASSDEN", "8 m above ground", {0, 20, 0}},
                    CodeCase{"SBT123", "top of atmosphere", {3, 192, 1}},
                    CodeCase{"MAXUVV", "100-1000 mb above ground", {0, 2, 220}}));

TEST(Quantity, is_known_for_every_extra_message) {
  const auto* provider = find_provider("noaa-hrrr-forecast-48-hour-virtual");
  ASSERT_NE(provider, nullptr);
  for (const auto& extra : provider->extra_messages) {
    EXPECT_TRUE(find_quantity(extra.element, extra.level)) << extra.element << " " << extra.level;
  }
}

TEST(Quantity, depends_on_the_level_where_the_values_do) {
  EXPECT_EQ(find_quantity("UGRD", "10 m above ground")->packing, Packing::kSimple);
  EXPECT_EQ(find_quantity("UGRD", "80 m above ground")->packing, Packing::kOrder2);
  EXPECT_EQ(find_quantity("HGT", "cloud ceiling")->packing, Packing::kManaged2);
  EXPECT_EQ(find_quantity("HGT", "500 mb")->step_per_level, 500);
}

TEST(Quantity, has_references_that_ieee_32_bit_holds_exactly_on_all_levels) {
  for (const char* element : {"TMP", "HGT", "PRES", "DPT"}) {
    for (const char* level : {"500 mb", "20 hybrid level", "surface"}) {
      const auto quantity = find_quantity(element, level);
      ASSERT_TRUE(quantity);
      for (int number = 0; number < 50; ++number) {
        const double reference =
            quantity->reference +
            std::ldexp(quantity->base + number * quantity->step_per_level, quantity->binary_scale);
        EXPECT_EQ(double{static_cast<float>(reference)}, reference) << element << " " << number;
        EXPECT_TRUE(quantity->step_per_level == 0 || reference > 0) << element << " " << number;
      }
    }
  }
}

TEST(Quantity, that_nobody_knows_is_an_error_that_names_it) {
  const auto quantity = find_quantity("XYZZY", "surface");
  ASSERT_FALSE(quantity);
  EXPECT_EQ(quantity.error().code(), core::ErrorCode::kNotFound);
  EXPECT_NE(quantity.error().message().find("XYZZY"), std::string::npos);
}

}  // namespace
}  // namespace icefield::sample_source
