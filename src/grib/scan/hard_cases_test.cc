// GRIB files that readers get wrong: one test per case, named by its id.
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/range_reader.h"
#include "grib/field.h"
#include "grib/grid/points.h"
#include "grib/grid/scan_order.h"
#include "grib/index/noaa_idx.h"
#include "grib/keys/noaa_labels.h"
#include "grib/scan/scan.h"
#include "grib/testing/golden.h"

namespace icefield::grib {
namespace {

using ::testing::DoubleNear;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using testing::golden_bytes;
using testing::golden_text;
using ::testing::IsEmpty;
using ::testing::NanSensitiveDoubleEq;
using ::testing::Pointwise;

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

struct Loaded {
  core::Bytes bytes;
  Scan scan;
};

Loaded load(std::string_view name) {
  Loaded loaded{golden_bytes(name), {}};
  auto found = scan(core::BytesReader(loaded.bytes, std::string(name)));
  EXPECT_TRUE(found);
  if (found) loaded.scan = *std::move(found);
  return loaded;
}

std::vector<double> values_of(const Loaded& loaded, std::size_t index = 0) {
  const auto& field = loaded.scan.fields.at(index);
  const auto points = point_count(loaded.scan, field);
  EXPECT_TRUE(points);
  std::vector<double> values(points ? *points : 0);
  const auto status = decode_field(loaded.bytes, loaded.scan, field, std::span(values));
  EXPECT_TRUE(status) << status.error().message();
  const core::BytesReader reader(loaded.bytes, "the same");
  std::vector<float> narrow(values.size());
  EXPECT_TRUE(decode_field(reader, loaded.scan, field, std::span(narrow)));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto rounded = static_cast<float>(values[i]);
    EXPECT_TRUE(narrow[i] == rounded || (std::isnan(rounded) && std::isnan(narrow[i])));
  }
  return values;
}

auto same_values(const std::vector<double>& expected) {
  return Pointwise(::testing::NanSensitiveDoubleEq(), expected);
}

std::vector<double> counting(double from, std::size_t count) {
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = from + static_cast<double>(i);
  return values;
}

TEST(DEC_1a, real_value_9999_is_a_number) {
  const auto loaded = load("scan_value_9999_no_bitmap.grib2");
  ASSERT_EQ(loaded.scan.fields.size(), 1U);
  EXPECT_THAT(values_of(loaded), same_values(counting(9996, 12)));
}

TEST(DEC_1b, only_masked_points_are_missing) {
  auto expected = counting(9996, 12);
  for (const auto masked : {5U, 6U, 10U}) expected[masked] = kMissing;
  EXPECT_THAT(values_of(load("scan_value_9999_with_bitmap.grib2")), same_values(expected));
}

TEST(DEC_2, constant_field_has_its_value_everywhere) {
  EXPECT_THAT(values_of(load("scan_constant_field.grib2")),
              same_values(std::vector<double>(12, 0.0)));
}

TEST(DEC_3, missing_values_of_groups_are_missing) {
  EXPECT_THAT(values_of(load("scan_complex_primary_missing.grib2")),
              same_values({10, 11, 12, kMissing, 13, 14, kMissing, kMissing, kMissing, 7, 7, 7}));
}

TEST(DEC_3b, zero_width_groups_repeat_their_reference) {
  const std::vector<double> expected = {0.05, 0.15, 0.25, 0.35,  0.65, 0.65,
                                        0.65, 0.65, 1.35, -0.15, 0.55, 0.65};
  EXPECT_THAT(values_of(load("scan_complex_zero_width_group.grib2")),
              Pointwise(::testing::DoubleNear(1e-12), expected));
}

TEST(DEC_4a, simple_packing_of_24_bits) {
  std::vector<double> expected;
  for (int i = 0; i < 12; ++i) expected.push_back(200 + i * 5.33333206176758);
  EXPECT_THAT(values_of(load("scan_simple_24_bits.grib2")),
              Pointwise(::testing::DoubleNear(2.6e-4), expected));
}

std::vector<double> ccsds_formula() {
  std::vector<double> values;
  for (int j = 0; j < 9; ++j) {
    for (int i = 0; i < 16; ++i) {
      values.push_back(273.15 + 20 * std::sin(i / 3.0) + 7 * std::cos(j) + 0.001 * i * j);
    }
  }
  return values;
}

TEST(DEC_4b, ccsds_of_12_bits) {
  EXPECT_THAT(values_of(load("scan_ccsds_12_bits.grib2")),
              Pointwise(::testing::DoubleNear(0.02), ccsds_formula()));
}

TEST(DEC_4c, ccsds_of_24_bits) {
  EXPECT_THAT(values_of(load("scan_ccsds_24_bits.grib2")),
              Pointwise(::testing::DoubleNear(1e-5), ccsds_formula()));
}

struct Places {
  std::vector<double> latitudes;
  std::vector<double> longitudes;
};

Places places_of(const GridDefinition& grid) {
  Places places{std::vector<double>(grid.n_points), std::vector<double>(grid.n_points)};
  const auto status = grid_points(grid, places.latitudes, places.longitudes);
  EXPECT_TRUE(status) << status.error().message();
  return places;
}

TEST(SCAN_1, longitudes_from_180_wrap) {
  const auto loaded = load("scan_lon_start_180.grib2");
  const auto& grid = loaded.scan.grids.at(0);
  ASSERT_EQ(grid.ni, 8U);
  ASSERT_EQ(grid.nj, 3U);
  const auto places = places_of(grid);
  EXPECT_THAT(std::vector(places.longitudes.begin(), places.longitudes.begin() + 8),
              ElementsAre(-180, -135, -90, -45, 0, 45, 90, 135));
  EXPECT_THAT((std::vector{places.latitudes[0], places.latitudes[8], places.latitudes[16]}),
              ElementsAre(10, 0, -10));
  EXPECT_THAT(values_of(loaded), same_values(counting(0, 24)));
}

TEST(SCAN_2, rows_and_latitudes_agree_when_rows_run_north) {
  const auto loaded = load("scan_j_scans_positively.grib2");
  const auto& grid = loaded.scan.grids.at(0);
  const auto values = values_of(loaded);
  EXPECT_THAT(values, same_values(counting(0, 12)));
  const auto places = places_of(grid);
  EXPECT_THAT((std::vector{places.latitudes[0], places.latitudes[4], places.latitudes[8]}),
              ElementsAre(0, 10, 20));

  std::vector<double> ordered(12);
  std::vector<double> latitudes(12);
  ASSERT_TRUE(to_north_up(grid, std::span<const double>(values), std::span(ordered)));
  ASSERT_TRUE(to_north_up(grid, std::span<const double>(places.latitudes), std::span(latitudes)));
  EXPECT_THAT(ordered, ElementsAre(8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3));
  for (std::size_t i = 0; i < 12; ++i) {
    if (places.latitudes[i] == 20 && places.longitudes[i] == 10) {
      EXPECT_EQ(values[i], 8);
    }
    if (latitudes[i] == 20 && places.longitudes[i % 4] == 10) {
      EXPECT_EQ(ordered[i], 8);
    }
  }
}

TEST(SCAN_3, forecast_times_have_a_sign) {
  const auto loaded = load("scan_negative_forecast_time.grib2");
  const auto& field = loaded.scan.fields.at(0);
  const auto noon = std::chrono::sys_days{std::chrono::March / 1 / 2026} + std::chrono::hours(12);
  EXPECT_EQ(field.identification.reference_time, noon);
  const auto window = window_of(field.product);
  ASSERT_TRUE(window);
  EXPECT_EQ(window->end_minutes, -360);
  EXPECT_EQ(noaa_window(field), "-6 hour fcst");
}

TEST(SCAN_4, percentiles_are_part_of_the_identity) {
  const auto loaded = load("scan_percentile_templates.grib2");
  std::vector<int> templates;
  std::vector<std::optional<int>> percentiles;
  for (const auto& field : loaded.scan.fields) {
    templates.push_back(field.product.template_number);
    percentiles.emplace_back(field.product.percentile);
  }
  EXPECT_THAT(templates, ElementsAre(0, 6, 6, 6));
  EXPECT_THAT(percentiles, ElementsAre(std::nullopt, 10, 50, 90));
  EXPECT_THAT(loaded.scan.reported, IsEmpty());
  EXPECT_EQ(noaa_extra(loaded.scan.fields.at(1)), "10% level");
}

TEST(SCAN_5, unknown_templates_are_listed_and_reported) {
  const auto loaded = load("scan_unknown_product_template.grib2");
  std::vector<std::uint64_t> offsets;
  std::vector<bool> understood;
  for (const auto& field : loaded.scan.fields) {
    offsets.push_back(field.range.offset);
    understood.push_back(!field.reported);
  }
  EXPECT_THAT(offsets, ElementsAre(0, 203, 404));
  EXPECT_THAT(understood, ElementsAre(true, false, true));
  ASSERT_EQ(loaded.scan.reported.size(), 1U);
  const auto& reported = loaded.scan.reported.front();
  EXPECT_EQ(reported.offset, 203U);
  EXPECT_EQ(reported.section, 4);
  EXPECT_EQ(reported.template_number, 32000);
  EXPECT_EQ(reported.reason, "product template 4.32000 is not supported");
}

TEST(SCAN_6, editions_may_alternate) {
  const auto loaded = load("scan_mixed_editions.grib2");
  std::vector<std::uint64_t> offsets;
  std::vector<int> editions;
  for (const auto& field : loaded.scan.fields) {
    offsets.push_back(field.range.offset);
    editions.push_back(field.edition);
  }
  EXPECT_EQ(loaded.scan.messages, 4U);
  EXPECT_THAT(offsets, ElementsAre(0, 203, 347, 538));
  EXPECT_THAT(editions, ElementsAre(2, 1, 2, 2));
  EXPECT_THAT(loaded.scan.reported, IsEmpty());
  for (std::size_t i = 0; i < 4; ++i) EXPECT_THAT(values_of(loaded, i), ::testing::Not(IsEmpty()));
}

TEST(IDX_7, each_field_of_a_message_decodes_to_its_own_values) {
  const auto loaded = load("idx_multifield.grib2");
  ASSERT_EQ(loaded.scan.fields.size(), 3U);
  std::vector<double> u;
  std::vector<double> v;
  for (int i = 0; i < 12; ++i) {
    u.push_back(3 * i);
    v.push_back(40 - i);
  }
  EXPECT_THAT(values_of(loaded, 1), same_values(u));
  EXPECT_THAT(values_of(loaded, 2), same_values(v));
}

TEST(IDX_4, a_scan_reports_the_message_that_is_cut) {
  const auto loaded = load("idx_truncated_mid_message.grib2");
  EXPECT_EQ(loaded.scan.messages, 2U);
  ASSERT_EQ(loaded.scan.reported.size(), 1U);
  EXPECT_EQ(loaded.scan.reported.front().offset, 394U);
  EXPECT_EQ(loaded.scan.reported.front().reason,
            "data ends inside the message (declared 191 octets, 40 available)");
}

TEST(Inventory, of_a_scan_is_the_sidecar_of_the_file) {
  const std::pair<const char*, const char*> files[] = {
      {"idx_base.grib2", "idx_base.grib2.idx"},
      {"idx_multifield.grib2", "idx_multifield.grib2.idx"},
  };
  for (const auto& [data, sidecar] : files) {
    const auto loaded = load(data);
    EXPECT_EQ(format_noaa_idx(NoaaInventory(loaded.scan).entries()), golden_text(sidecar));
  }
}

}  // namespace
}  // namespace icefield::grib
