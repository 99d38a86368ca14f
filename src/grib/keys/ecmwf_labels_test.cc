#include "grib/keys/ecmwf_labels.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/range_reader.h"
#include "grib/index/ecmwf_index.h"
#include "grib/testing/golden.h"

namespace icefield::grib {
namespace {

struct ParamCase {
  std::string name;
  std::uint8_t discipline;
  Product product;
  std::string param;
};

Product product_of(std::uint8_t category, std::uint8_t number, FixedSurface first) {
  Product product;
  product.category = category;
  product.number = number;
  product.first_surface = first;
  return product;
}

Product accumulated(Product product) {
  product.template_number = 8;
  product.time_ranges.push_back({1, 2, {1, 6}, {}});
  return product;
}

/// Waves of periods between two limits in seconds; code table 4.91 says which limits count.
Product wave(std::uint8_t kind, std::uint32_t lower, std::uint32_t upper) {
  auto product = product_of(0, 3, {101, {}, {}});
  product.template_number = 103;
  product.wave_period = Interval{kind, 0, 0, lower, upper};
  return product;
}

Product constituent(std::uint8_t number, std::uint16_t product_template, std::uint16_t type) {
  auto product = product_of(20, number, {1, {}, {}});
  product.template_number = product_template;
  product.constituent = Constituent{.type = type, .source_sink = {}, .size = {}, .wavelength = {}};
  return product;
}

/// Particles below 25 * 10^-7 m.
Product fine_particles() {
  auto product = constituent(0, 44, 62026);
  product.constituent->size = Interval{5, 7, 255, 25, 0xFFFFFFFF};
  return product;
}

class Param : public ::testing::TestWithParam<ParamCase> {};

TEST_P(Param, is_the_short_name_that_asks_for_most) {
  Field field;
  field.discipline = GetParam().discipline;
  field.product = GetParam().product;
  field.identification.centre = 98;
  EXPECT_EQ(ecmwf_param(field), GetParam().param);
}

// Names are ecCodes' for the same keys.
INSTANTIATE_TEST_SUITE_P(
    , Param,
    ::testing::Values(ParamCase{"air", 0, product_of(0, 0, {100, 0, 50000}), "t"},
                      ParamCase{"near_the_ground", 0, product_of(0, 0, {103, 0, 2}), "2t"},
                      ParamCase{"wind", 0, product_of(2, 2, {103, 0, 10}), "10u"},
                      ParamCase{"sea_level_pressure", 0, product_of(3, 0, {101, {}, {}}), "msl"},
                      ParamCase{"surface_pressure", 0, product_of(3, 0, {1, {}, {}}), "sp"},
                      ParamCase{"geopotential", 0, product_of(3, 4, {100, 0, 50000}), "z"},
                      ParamCase{"precipitation", 0, accumulated(product_of(1, 52, {1, {}, {}})),
                                "tp"},
                      ParamCase{"waves", 10, product_of(0, 3, {101, {}, {}}), "swh"},
                      ParamCase{"bathymetry", 10, product_of(4, 7, {1, {}, {}}), "wmb"},
                      ParamCase{"waves_of_10_to_12_s", 10, wave(7, 10, 12), "h1012"},
                      ParamCase{"waves_of_25_to_30_s", 10, wave(7, 25, 30), "h2530"},
                      ParamCase{"waves_of_an_unnamed_interval", 10, wave(7, 3, 4), ""},
                      ParamCase{"aerosol_optical_depth", 0, constituent(102, 48, 62000), "aod"},
                      ParamCase{"carbon_monoxide", 0, constituent(2, 40, 4), "co"},
                      ParamCase{"ozone", 0, constituent(2, 40, 0), "go3"},
                      ParamCase{"fine_particles", 0, fine_particles(), "pm2p5"},
                      ParamCase{"unknown", 0, product_of(250, 250, {1, {}, {}}), ""}),
    [](const auto& tested) { return tested.param.name; });

TEST(EcmwfInventory, is_spelled_as_open_data_spells_it) {
  const auto bytes = testing::golden_bytes("idx_base.grib2");
  const auto found = scan(core::BytesReader(bytes, "base"));
  ASSERT_TRUE(found);
  const auto text = format_ecmwf_index(ecmwf_inventory(*found).rows);
  EXPECT_EQ(text.substr(0, text.find('\n')),
            R"({"date": "20260301", "time": "0000", "type": "fc", "stream": "oper", "step": "6", )"
            R"("levtype": "sfc", "param": "2t", "_offset": 0, "_length": 203})");
}

}  // namespace
}  // namespace icefield::grib
