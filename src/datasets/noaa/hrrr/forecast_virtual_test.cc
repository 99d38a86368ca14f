#include "datasets/noaa/hrrr/forecast_virtual.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/file.h"
#include "core/json.h"
#include "core/text.h"
#include "dataset/chunk_resolver.h"
#include "dataset/time_axis.h"

namespace icefield::datasets::noaa::hrrr {
namespace {

using dataset::SourceFile;
using dataset::VariableIndex;
using testing::ElementsAre;
using testing::IsEmpty;

const dataset::DatasetSpec& spec() {
  return kForecast48HourVirtual;
}
const dataset::VirtualSource& source() {
  return *spec().virtual_source;
}

std::vector<VariableIndex> all_variables() {
  return *dataset::select_variables(spec(), {});
}

core::Timestamp at(const std::string& text) {
  return *core::parse_timestamp(text);
}

SourceFile file_at(int lead, std::uint8_t type) {
  return {.append = at("2025-08-01"), .lead = std::chrono::hours(lead), .file_type = type};
}

VariableIndex variable_at(std::string_view path) {
  const auto found = std::ranges::find_if(spec().variables, [&](const dataset::Variable& variable) {
    return dataset::path_of(spec(), variable) == path;
  });
  return static_cast<VariableIndex>(found - spec().variables.begin());
}

TEST(HrrrSource, has_147_files_per_init) {
  const auto files = source().generate_source_file_coords(spec(), {0, 2}, all_variables());
  ASSERT_EQ(files.size(), 2U * 147);
  EXPECT_TRUE(std::ranges::is_sorted(files));
  EXPECT_EQ(source().get_url(spec(), files.front()),
            "s3://noaa-hrrr-bdp-pds/hrrr.20180713/conus/hrrr.t12z.wrfsfcf00.grib2");
  EXPECT_EQ(source().get_index_url(spec(), files[146]),
            "s3://noaa-hrrr-bdp-pds/hrrr.20180713/conus/hrrr.t12z.wrfnatf48.grib2.idx");
  EXPECT_EQ(files[147].append, at("2018-07-13T18:00:00"));
  const auto& shorter = kForecast18HourVirtual;
  EXPECT_EQ(source().generate_source_file_coords(shorter, {7, 8}, all_variables()).size(), 57U);
}

TEST(HrrrSource, leaves_out_files_without_a_selected_variable) {
  const auto files = [&](std::string_view path) {
    const std::vector<VariableIndex> one = {variable_at(path)};
    return source().generate_source_file_coords(spec(), {0, 1}, one).size();
  };
  EXPECT_EQ(files("temperature_2m"), 49U);
  EXPECT_EQ(files("total_precipitation_surface"), 48U);  // none at lead 0
  EXPECT_EQ(files("model_level/temperature"), 49U);
}

TEST(HrrrSource, carries_107_of_142_surface_variables_at_lead_0) {
  const auto carried = [](int lead, std::uint8_t type) {
    return source().variables_in(spec(), file_at(lead, type), all_variables());
  };
  EXPECT_EQ(carried(0, 0).size(), 107U);
  EXPECT_EQ(carried(1, 0).size(), 142U);
  EXPECT_EQ(carried(0, 1).size(), 14U);
  EXPECT_EQ(carried(48, 2).size(), 20U);
}

TEST(HrrrSource, probes_the_first_level_of_files_without_root_variables) {
  const auto probe = [](std::uint8_t type) {
    const auto file = file_at(6, type);
    const auto carried = source().variables_in(spec(), file, all_variables());
    const auto variable = dataset::representative_var(spec(), carried);
    return std::pair(dataset::path_of(spec(), spec().variables[variable]),
                     dataset::representative_probe_loc(spec(), file, variable));
  };
  const dataset::Label init{"init_time", 1754006400};
  const dataset::Label lead{"lead_time", 21600};
  EXPECT_EQ(probe(0).first, "composite_reflectivity");
  EXPECT_THAT(probe(0).second, ElementsAre(init, lead));
  EXPECT_EQ(probe(1).first, "pressure_level/absolute_vorticity");
  EXPECT_THAT(probe(1).second, ElementsAre(init, lead, dataset::Label{"pressure_level", 1000}));
  EXPECT_EQ(probe(2).first, "model_level/temperature");
  EXPECT_THAT(probe(2).second, ElementsAre(init, lead, dataset::Label{"model_level", 1}));
}

/// What a message of these words fills.
std::vector<dataset::Match> matches_of(const std::vector<dataset::WantedMessage>& wanted,
                                       std::string_view element, std::string_view level,
                                       std::string_view window) {
  std::vector<dataset::Match> found;
  for (const auto& message : wanted) {
    if (message.element == element && message.level == level && message.window == window) {
      found.push_back(message.match);
    }
  }
  return found;
}

TEST(HrrrSource, matches_every_spelling_level_and_window) {
  const auto find = [](int lead, std::uint8_t type, std::string_view element,
                       std::string_view level, std::string_view window) {
    const auto wanted = source().wanted_messages(spec(), file_at(lead, type), all_variables());
    std::vector<std::string> found;
    for (const auto& match : matches_of(wanted, element, level, window)) {
      const auto path = dataset::path_of(spec(), spec().variables[match.variable]);
      found.push_back(
          match.level_index == dataset::kNoLevel ? path : core::text(path, " ", match.level_index));
    }
    return found;
  };
  EXPECT_THAT(find(1, 0, "APCP", "surface", "0-1 hour acc fcst"),
              ElementsAre("total_precipitation_run_total_surface", "total_precipitation_surface"));
  EXPECT_THAT(find(24, 0, "APCP", "surface", "0-1 day acc fcst"),
              ElementsAre("total_precipitation_run_total_surface"));
  EXPECT_THAT(find(24, 0, "APCP", "surface", "23-24 hour acc fcst"),
              ElementsAre("total_precipitation_surface"));
  EXPECT_THAT(find(0, 0, "APCP", "surface", "0-0 day acc fcst"), IsEmpty());
  EXPECT_THAT(find(2, 0, "REFD", "263 K level", "2 hour fcst"),
              ElementsAre("derived_radar_reflectivity_263k"));
  EXPECT_THAT(find(2, 0, "REFD", "263 K level", "1-2 hour max fcst"),
              ElementsAre("maximum_derived_radar_reflectivity_263k"));
  EXPECT_THAT(find(2, 0, "var discipline=0 center=7 local_table=1 parmcat=7 parm=200",
                   "2000-0 m above ground", "1-2 hour min fcst"),
              ElementsAre("minimum_updraft_helicity_2000_0m"));
  EXPECT_THAT(find(0, 1, "CLWMR", "50 mb", "anl"),
              ElementsAre("pressure_level/cloud_mixing_ratio 38"));
  EXPECT_THAT(find(0, 1, "TMP", "1013.2 mb", "anl"), IsEmpty());
  EXPECT_THAT(find(3, 2, "PMTF", "50 hybrid level", "3 hour fcst"),
              ElementsAre("model_level/number_concentration_water_friendly_aerosol 49"));
}

TEST(HrrrSpec, knows_when_forecasts_became_longer) {
  using std::chrono::hours;
  EXPECT_EQ(dataset::expected_forecast_length(spec(), at("2020-12-02T06:00:00")), hours(36));
  EXPECT_EQ(dataset::expected_forecast_length(spec(), at("2020-12-02T12:00:00")), hours(48));
  EXPECT_EQ(dataset::expected_forecast_length(kForecast18HourVirtual, at("2018-07-14")), hours(18));
}

// Complete reference lists of a provider: every line of three real index files.

struct Line {
  std::uint64_t start = 0;
  std::string element, level, window;
};

std::vector<Line> read_index(const std::string& name) {
  const auto path = std::filesystem::path(ICEFIELD_SOURCE_DIR) / "tests/golden/grib" / name;
  const auto bytes = core::read_file(path);
  EXPECT_TRUE(bytes) << path;
  std::vector<Line> lines;
  for (const auto& text : core::split(core::as_text(*bytes), '\n')) {
    const auto fields = core::split(text, ':');
    if (fields.size() < 6) continue;
    lines.push_back({std::stoull(fields[1]), fields[3], fields[4], fields[5]});
  }
  return lines;
}

using Reference = std::tuple<std::string, std::vector<std::uint32_t>, std::uint64_t, std::uint64_t>;

std::vector<Reference> references(const SourceFile& file, const std::vector<Line>& lines,
                                  std::uint64_t file_size) {
  const auto resolver = dataset::ChunkResolver::make(spec(), *dataset::get_template(spec(), 10303));
  const auto wanted = source().wanted_messages(spec(), file, all_variables());
  const auto location = dataset::out_loc(spec(), file);
  std::vector<Reference> found;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::uint64_t end = i + 1 < lines.size() ? lines[i + 1].start : file_size;
    for (const auto& match :
         matches_of(wanted, lines[i].element, lines[i].level, lines[i].window)) {
      const auto index = resolver->chunk_index(match, location);
      found.emplace_back(dataset::path_of(spec(), spec().variables[match.variable]),
                         (**index).value(), lines[i].start, end - lines[i].start);
    }
  }
  std::ranges::sort(found);
  return found;
}

std::vector<Reference> expected_references(const core::Json& list) {
  std::vector<Reference> expected;
  for (const auto& one : list.as_array()) {
    std::vector<std::uint32_t> index;
    for (const auto& number : one.find("chunk_index")->as_array()) {
      index.push_back(static_cast<std::uint32_t>(number.as_uint64()));
    }
    expected.emplace_back(one.find("var")->as_string(), index, one.find("offset")->as_uint64(),
                          one.find("length")->as_uint64());
  }
  std::ranges::sort(expected);
  return expected;
}

TEST(HrrrSource, gives_the_provider_s_references) {
  const auto path =
      std::filesystem::path(ICEFIELD_SOURCE_DIR) / "tests/golden/datasets/virtual_refs_hrrr.json";
  const auto cases = core::Json::parse(core::as_text(*core::read_file(path)));
  ASSERT_TRUE(cases);
  for (const auto& one : cases->as_array()) {
    const auto size = one.find("file_size")->as_uint64();
    const auto file = file_at(static_cast<int>(one.find("lead_hours")->as_int64()), 0);
    EXPECT_EQ(source().get_url(spec(), file), one.find("location")->as_string());
    const auto carried = source().variables_in(spec(), file, all_variables());
    EXPECT_EQ(carried.size(), one.find("n_vars_expected_in_file")->as_uint64());
    const auto& stands = spec().variables[dataset::representative_var(spec(), carried)];
    EXPECT_EQ(dataset::path_of(spec(), stands), one.find("representative_var")->as_string());
    if (one.find("n_refs")->as_uint64() == 0) continue;  // cut short: judged where files are read
    const auto lines = read_index("idx_" + one.find("index")->as_string());
    EXPECT_EQ(references(file, lines, size), expected_references(*one.find("refs")));
  }
}

}  // namespace
}  // namespace icefield::datasets::noaa::hrrr
