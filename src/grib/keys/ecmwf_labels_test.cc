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

Product wave(Product product) {
  product.template_number = 103;
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
    ::testing::Values(
        ParamCase{"air", 0, product_of(0, 0, {100, 0, 50000}), "t"},
        ParamCase{"near_the_ground", 0, product_of(0, 0, {103, 0, 2}), "2t"},
        ParamCase{"wind", 0, product_of(2, 2, {103, 0, 10}), "10u"},
        ParamCase{"sea_level_pressure", 0, product_of(3, 0, {101, {}, {}}), "msl"},
        ParamCase{"surface_pressure", 0, product_of(3, 0, {1, {}, {}}), "sp"},
        ParamCase{"geopotential", 0, product_of(3, 4, {100, 0, 50000}), "z"},
        ParamCase{"precipitation", 0, accumulated(product_of(1, 52, {1, {}, {}})), "tp"},
        ParamCase{"waves_of_an_interval", 10, wave(product_of(0, 3, {1, {}, {}})), ""},
        ParamCase{"unknown", 0, product_of(250, 250, {1, {}, {}}), ""}),
    [](const auto& tested) { return tested.param.name; });

TEST(EcmwfIndexText, is_read_back_as_the_scan_found_it) {
  for (const auto* name : {"idx_base.grib2", "idx_multifield.grib2", "scan_mixed_editions.grib2",
                           "scan_sample_rotated_N32_subarea.grib"}) {
    const auto bytes = testing::golden_bytes(name);
    const auto found = scan(core::BytesReader(bytes, name));
    ASSERT_TRUE(found);
    const auto rows = parse_ecmwf_index(ecmwf_index_text(*found), bytes.size());
    ASSERT_TRUE(rows) << name << ": " << rows.error().message();
    ASSERT_EQ(rows->size(), found->fields.size());
    for (std::size_t i = 0; i < rows->size(); ++i) {
      EXPECT_EQ((*rows)[i].range, found->fields[i].range);
      EXPECT_EQ((*rows)[i].init, found->fields[i].identification.reference_time);
      EXPECT_FALSE((*rows)[i].param.empty());
    }
  }
}

TEST(EcmwfIndexText, is_spelled_as_open_data_spells_it) {
  const auto bytes = testing::golden_bytes("idx_base.grib2");
  const auto found = scan(core::BytesReader(bytes, "base"));
  ASSERT_TRUE(found);
  const auto text = ecmwf_index_text(*found);
  EXPECT_EQ(text.substr(0, text.find('\n')),
            R"({"date": "20260301", "time": "0000", "type": "fc", "stream": "oper", "step": "6", )"
            R"("levtype": "sfc", "param": "2t", "_offset": 0, "_length": 203})");
}

}  // namespace
}  // namespace icefield::grib
