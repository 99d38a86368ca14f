// Real messages of many producers: keys, values and places equal what ecCodes reads.
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/json.h"
#include "core/range_reader.h"
#include "core/sha256.h"
#include "grib/field.h"
#include "grib/grid/points.h"
#include "grib/scan/scan.h"
#include "grib/testing/golden.h"

namespace icefield::grib {
namespace {

std::int64_t number(const core::Json& expected, std::string_view name) {
  const auto* value = expected.find(name);
  EXPECT_TRUE(value != nullptr && value->is_integer()) << name;
  return value != nullptr && value->is_integer() ? value->as_int64() : -1;
}

void check_keys(const Scan& scan, const Field& field, const core::Json& expected) {
  EXPECT_EQ(field.message, number(expected, "message"));
  EXPECT_EQ(field.submessage, number(expected, "submessage"));
  EXPECT_EQ(field.range.offset, static_cast<std::uint64_t>(number(expected, "offset")));
  EXPECT_EQ(field.range.length, static_cast<std::uint64_t>(number(expected, "length")));
  EXPECT_EQ(field.edition, number(expected, "edition"));
  const auto& grid = scan.grids[field.grid];
  const auto* shape = expected.find("shape");
  EXPECT_EQ(grid.rectangular(), shape != nullptr && shape->is_array());
  if (shape != nullptr && shape->is_array()) {
    EXPECT_EQ(grid.nj, shape->as_array()[0].as_int64());
    EXPECT_EQ(grid.ni, shape->as_array()[1].as_int64());
  }
  EXPECT_EQ(grid.n_points, number(expected, "n_points"));
  EXPECT_EQ(field.bitmap_indicator != 255, expected.find("bitmap")->as_bool());
  if (field.edition == 1) return;
  EXPECT_EQ(field.discipline, number(expected, "discipline"));
  EXPECT_EQ(field.product.category, number(expected, "category"));
  EXPECT_EQ(field.product.number, number(expected, "number"));
  EXPECT_EQ(field.product.template_number, number(expected, "product_template"));
  EXPECT_EQ(grid.template_number, number(expected, "grid_template"));
  EXPECT_EQ(field.packing_template, number(expected, "packing_template"));
  if (const auto* type = expected.find("typeOfFirstFixedSurface"); type != nullptr) {
    EXPECT_EQ(field.product.first_surface.type, type->as_int64());
    const auto* value = expected.find("scaledValueOfFirstFixedSurface");
    EXPECT_EQ(field.product.first_surface.scaled_value.has_value(), !value->is_null());
    if (!value->is_null()) {
      EXPECT_EQ(*field.product.first_surface.scaled_value, value->as_int64());
    }
  }
}

void check_values(const core::Bytes& bytes, const Scan& scan, const Field& field,
                  const core::Json& expected) {
  const auto points = point_count(scan, field);
  ASSERT_TRUE(points);
  std::vector<double> values(*points);
  const auto status = decode_field(bytes, scan, field, std::span(values));
  ASSERT_TRUE(status) << status.error().message();
  std::int64_t missing = 0;
  for (auto& value : values) {
    if (!std::isnan(value)) continue;
    value = std::bit_cast<double>(std::uint64_t{0x7FF8000000000000});
    ++missing;
  }
  EXPECT_EQ(missing, number(expected, "n_missing"));
  EXPECT_EQ(core::sha256_hex(std::as_bytes(std::span(values))),
            expected.find("sha256_f64")->as_string());
}

void check_places(const GridDefinition& grid, const core::Json& places) {
  constexpr double kClose = 1e-3;
  std::vector<double> latitudes(grid.n_points);
  std::vector<double> longitudes(grid.n_points);
  const auto status = grid_points(grid, latitudes, longitudes);
  ASSERT_TRUE(status) << status.error().message();
  for (const auto& place : places.as_array()) {
    const auto at = place.as_array()[0].as_uint64();
    EXPECT_NEAR(latitudes[at], place.as_array()[1].as_double(), kClose) << at;
    const double turn = std::remainder(longitudes[at] - place.as_array()[2].as_double(), 360);
    EXPECT_NEAR(turn, 0, kClose) << at;
  }
}

TEST(Samples, read_as_eccodes_reads_them) {
  const auto expected = core::Json::parse(testing::golden_text("scan_expected.json"));
  ASSERT_TRUE(expected);
  ASSERT_GT(expected->as_array().size(), 15U);
  for (const auto& file : expected->as_array()) {
    const auto& name = file.find("file")->as_string();
    SCOPED_TRACE(name);
    const auto bytes = testing::golden_bytes(name);
    const auto found = scan(core::BytesReader(bytes, name));
    ASSERT_TRUE(found);
    const auto& fields = file.find("fields")->as_array();
    ASSERT_EQ(found->fields.size(), fields.size());
    for (std::size_t i = 0; i < fields.size(); ++i) {
      SCOPED_TRACE(i);
      const auto& field = found->fields[i];
      check_keys(*found, field, fields[i]);
      check_values(bytes, *found, field, fields[i]);
      if (const auto* places = fields[i].find("places"); places != nullptr) {
        check_places(found->grids[field.grid], *places);
      }
    }
  }
}

}  // namespace
}  // namespace icefield::grib
