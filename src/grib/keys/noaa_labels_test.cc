#include "grib/keys/noaa_labels.h"

#include <array>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grib/internal/parameter_tables.h"
#include "grib/keys/noaa_levels.h"
#include "grib/keys/parameter.h"
#include "grib/testing/golden.h"

namespace icefield::grib {
namespace {

constexpr std::uint16_t kNcep = 7;

Field field_of(std::uint8_t discipline, std::uint8_t category, std::uint8_t number) {
  Field field;
  field.discipline = discipline;
  field.product.category = category;
  field.product.number = number;
  field.identification.centre = kNcep;
  field.identification.local_tables = 1;
  field.identification.master_tables = 2;
  return field;
}

struct NameCase {
  std::string name;
  std::array<std::uint8_t, 3> numbers;  // discipline, category, number
};

class Element : public ::testing::TestWithParam<NameCase> {};

TEST_P(Element, is_named_as_the_inventories_name_it) {
  const auto [discipline, category, number] = GetParam().numbers;
  EXPECT_EQ(noaa_element(field_of(discipline, category, number)), GetParam().name);
}

// Numbers of NCEP's tables 4.2; names as in the provider samples.
INSTANTIATE_TEST_SUITE_P(
    , Element,
    ::testing::Values(NameCase{"TMP", {0, 0, 0}}, NameCase{"RH", {0, 1, 1}},
                      NameCase{"APCP", {0, 1, 8}}, NameCase{"CLMR", {0, 1, 22}},
                      NameCase{"ASNOW", {0, 1, 29}}, NameCase{"CFRZR", {0, 1, 193}},
                      NameCase{"CPOFP", {0, 1, 39}}, NameCase{"UGRD", {0, 2, 2}},
                      NameCase{"VRATE", {0, 2, 224}}, NameCase{"MSLMA", {0, 3, 198}},
                      NameCase{"MSLET", {0, 3, 192}}, NameCase{"LAYTH", {0, 3, 205}},
                      NameCase{"DSWRF", {0, 4, 192}}, NameCase{"VBDSF", {0, 4, 200}},
                      NameCase{"EFHL", {0, 7, 204}}, NameCase{"ESP", {0, 7, 205}},
                      NameCase{"CANGLE", {0, 7, 206}}, NameCase{"REFC", {0, 16, 196}},
                      NameCase{"RETOP", {0, 16, 197}}, NameCase{"MAXREF", {0, 16, 198}},
                      NameCase{"LTNG", {0, 17, 192}}, NameCase{"ICSEV", {0, 19, 234}},
                      NameCase{"MASSDEN", {0, 20, 0}}, NameCase{"COLMD", {0, 20, 1}},
                      NameCase{"AOTK", {0, 20, 102}}, NameCase{"VEGMIN", {2, 0, 231}},
                      NameCase{"VEGMAX", {2, 0, 232}}, NameCase{"HINDEX", {2, 4, 2}},
                      NameCase{"ICETMP", {10, 2, 8}}),
    [](const auto& tested) { return tested.param.name; });

TEST(Elements, without_a_name_is_spelled_by_its_numbers) {
  EXPECT_EQ(noaa_element(field_of(0, 16, 201)),
            "var discipline=0 center=7 local_table=1 parmcat=16 parm=201");
  EXPECT_EQ(noaa_element(field_of(2, 4, 26)), "var discipline=2 master_table=2 parmcat=4 parm=26");
}

TEST(Elements, tables_give_name_and_unit) {
  const auto name = parameter_name(field_of(0, 0, 0));
  ASSERT_TRUE(name);
  EXPECT_EQ(name->short_name, "TMP");
  EXPECT_EQ(name->name, "Temperature");
  EXPECT_EQ(name->unit, "K");
  EXPECT_EQ(surface_name(1), "Ground or water surface");
  EXPECT_EQ(surface_name(199), "");
  auto old = field_of(255, 128, 167);
  old.edition = 1;
  old.identification.centre = 98;
  const auto old_name = parameter_name(old);
  ASSERT_TRUE(old_name);
  EXPECT_EQ(old_name->short_name, "2t");
  EXPECT_EQ(old_name->unit, "K");
}

const std::array kInventories = {
    "idx_hrrr.t00z.wrfsfcf00.grib2.idx",   "idx_hrrr.t00z.wrfsfcf08.grib2.idx",
    "idx_hrrr.t00z.wrfsfcf24.grib2.idx",   "idx_gfs.t00z.pgrb2.0p25.f000.idx",
    "idx_gfs.t00z.pgrb2.0p25.f007.idx",    "idx_gec00.t00z.pgrb2a.0p50.f432.idx",
    "idx_gec00.t00z.pgrb2b.0p50.f003.idx", "idx_gep01.t00z.pgrb2s.0p25.f015.idx",
    "idx_geavg.t00z.pgrb2s.0p25.f000.idx", "idx_geavg.t00z.pgrb2s.0p25.f009.idx",
};

template <typename Use>
void for_each_line(const Use& use) {
  for (const auto* name : kInventories) {
    const auto text = testing::golden_text(name);
    const auto entries = parse_noaa_idx(text, std::uint64_t{1} << 40U);
    ASSERT_TRUE(entries);
    for (const auto& entry : *entries) use(entry);
  }
}

TEST(Elements, names_cover_every_entry_of_the_providers) {
  std::set<std::string> known;
  for (const auto& row : tables::kParameters) {
    auto field = field_of(row.discipline, row.category, row.number);
    field.identification.centre = row.centre == 0 ? kNcep : row.centre;
    known.insert(noaa_element(field));
  }
  for (const auto& numbers : {std::array<std::uint8_t, 3>{0, 7, 204},
                              {0, 7, 205},
                              {0, 7, 206},
                              {2, 0, 231},
                              {2, 0, 232},
                              {0, 16, 201}}) {
    known.insert(noaa_element(field_of(numbers[0], numbers[1], numbers[2])));
  }
  // an older name of CLMR, which one product still writes
  known.insert("CLWMR");
  for_each_line([&](const NoaaIdxEntry& entry) {
    EXPECT_TRUE(known.contains(std::string(entry.element))) << entry.element;
  });
}

/// "180-0 mb above ground" -> "#-# mb above ground"; "0.3" and "2e-06" are one number.
std::string pattern(const std::string& text) {
  static const std::regex kNumber(R"([0-9]+(\.[0-9]+)?(e-[0-9]+)?)");
  return std::regex_replace(text, kNumber, "#");
}

FixedSurface surface(std::uint8_t type, std::int64_t value, int scale = 0) {
  return {type, scale, value};
}

constexpr FixedSurface kNone;

TEST(Levels, texts_cover_every_entry_of_the_providers) {
  std::set<std::string> known;
  for (int type = 0; type < 255; ++type) {
    const auto number = static_cast<std::uint8_t>(type);
    for (const auto& [value, scale] : {std::pair{7, 0}, std::pair{75, 1}, std::pair{-2, 6}}) {
      const auto one = surface(number, value, scale);
      known.insert(pattern(noaa_level_text(one, kNone, kNcep)));
      known.insert(pattern(noaa_level_text(one, surface(number, 8), kNcep)));
      known.insert(pattern(noaa_level_text(surface(number, 8), one, kNcep)));
    }
  }
  for_each_line([&](const NoaaIdxEntry& entry) {
    EXPECT_TRUE(known.contains(pattern(std::string(entry.level)))) << entry.level;
  });
}

struct LevelCase {
  std::string name;
  FixedSurface first;
  FixedSurface second;
  std::string text;
};

class Level : public ::testing::TestWithParam<LevelCase> {};

TEST_P(Level, is_spelled_as_the_inventories_spell_it) {
  EXPECT_EQ(noaa_level_text(GetParam().first, GetParam().second, kNcep), GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(
    , Level,
    ::testing::Values(
        LevelCase{"surface", {1, {}, {}}, kNone, "surface"},
        LevelCase{"pressure", surface(100, 50000), kNone, "500 mb"},
        LevelCase{"low_pressure", surface(100, 1), kNone, "0.01 mb"},
        LevelCase{"height", surface(103, 2), kNone, "2 m above ground"},
        LevelCase{"layer", surface(103, 1000), surface(103, 0), "1000-0 m above ground"},
        LevelCase{"pressure_layer", surface(108, 18000), surface(108, 0), "180-0 mb above ground"},
        LevelCase{"soil", surface(106, 0), surface(106, 1, 1), "0-0.1 m below ground"},
        LevelCase{"soil_level", surface(106, 3, 1), kNone, "0.3 m underground"},
        LevelCase{"sigma", surface(104, 995, 3), kNone, "0.995 sigma level"},
        LevelCase{"sigma_layer", surface(104, 33, 2), surface(104, 1), "0.33-1 sigma layer"},
        LevelCase{"hybrid", surface(105, 1), kNone, "1 hybrid level"},
        LevelCase{"potential_vorticity", surface(109, -2, 6), kNone,
                  "PV=-2e-06 (Km^2/kg/s) surface"},
        LevelCase{"isothermal", surface(20, 253), kNone, "253 K level"},
        LevelCase{"isothermal_layer", surface(20, 253), surface(20, 273),
                  "253 K level - 273 K level"},
        LevelCase{"two_kinds", {2, {}, {}}, {3, {}, {}}, "cloud base - cloud top"},
        LevelCase{
            "column", {200, {}, {}}, kNone, "entire atmosphere (considered as a single layer)"},
        LevelCase{"nothing", kNone, kNone, "no_level"}),
    [](const auto& tested) { return tested.param.name; });

TEST(Levels, of_other_centres_is_spelled_by_number) {
  EXPECT_EQ(noaa_level_text({200, {}, {}}, kNone, 98), "local level type 200");
  EXPECT_EQ(noaa_level_text(surface(200, 3), kNone, 98), "local level type 200 3");
}

TEST(WindowLabel, tells_what_moves_between_the_values) {
  Field field = field_of(0, 1, 8);
  EXPECT_EQ(noaa_window(field), "anl");
  field.product.forecast_time = {0, 60};
  EXPECT_EQ(noaa_window(field), "60 min fcst");
  field.product.forecast_time = {1, 0};
  field.product.time_ranges.push_back({1, 2, {1, 24}, {}});
  EXPECT_EQ(noaa_window(field), "0-1 day acc fcst");
  field.product.time_ranges.front() = {0, 1, {1, 6}, {}};
  EXPECT_EQ(noaa_window(field), "0-6 hour ave anl");
  field.product.time_ranges.front() = {255, 2, {1, 6}, {}};
  EXPECT_EQ(noaa_window(field), "0-6 hour fcst");
}

TEST(Extra, names_members_events_and_percentiles) {
  Field field = field_of(0, 1, 8);
  EXPECT_EQ(noaa_extra(field), "");
  field.product.member = EnsembleMember{1, 0, 30};
  EXPECT_EQ(noaa_extra(field), "ENS=low-res ctl");
  field.product.member = EnsembleMember{3, 7, 30};
  EXPECT_EQ(noaa_extra(field), "ENS=+7");
  field.product.member.reset();
  field.product.derived = DerivedForecast{0, 30};
  EXPECT_EQ(noaa_extra(field), "ens mean");
  field.product.derived.reset();
  field.product.probability = Probability{1, 1, 1, {}, {255, 3, 254}};
  EXPECT_EQ(noaa_extra(field), "prob >0.254:prob fcst 1/1");
  field.product.probability.reset();
  field.product.percentile = 75;
  EXPECT_EQ(noaa_extra(field), "75% level");
}

}  // namespace
}  // namespace icefield::grib
