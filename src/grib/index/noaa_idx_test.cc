#include "grib/index/noaa_idx.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/json.h"
#include "grib/index/match.h"
#include "grib/index/window.h"
#include "grib/testing/golden.h"

namespace icefield::grib {
namespace {

using testing::golden_text;

constexpr std::uint64_t kLargeFile = std::uint64_t{1} << 40U;

const std::array kProviderFiles = {
    "idx_hrrr.t00z.wrfsfcf00.grib2.idx",   "idx_hrrr.t00z.wrfsfcf08.grib2.idx",
    "idx_hrrr.t00z.wrfsfcf24.grib2.idx",   "idx_gfs.t00z.pgrb2.0p25.f000.idx",
    "idx_gfs.t00z.pgrb2.0p25.f007.idx",    "idx_gec00.t00z.pgrb2a.0p50.f432.idx",
    "idx_gec00.t00z.pgrb2b.0p50.f003.idx", "idx_gep01.t00z.pgrb2s.0p25.f015.idx",
    "idx_geavg.t00z.pgrb2s.0p25.f000.idx", "idx_geavg.t00z.pgrb2s.0p25.f009.idx",
};

TEST(NoaaIdx, is_written_back_as_it_was_read) {
  for (const auto* name : kProviderFiles) {
    const auto text = golden_text(name);
    auto entries = parse_noaa_idx(text, kLargeFile);
    ASSERT_TRUE(entries) << name << ": " << entries.error().message();
    std::vector<std::string> labels;
    labels.reserve(entries->size());
    for (auto& entry : *entries) {
      const auto window = parse_window(entry.window);
      ASSERT_TRUE(window) << name << ": " << window.error().message();
      entry.window = labels.emplace_back(format_window(*window));
    }
    EXPECT_EQ(format_noaa_idx(*entries), text) << name;
  }
}

TEST(NoaaIdx, holds_every_part_of_a_line) {
  const auto entries = parse_noaa_idx(
      "7.2:123:d=2025080106:var discipline=0 center=7 local_table=1 parmcat=16 parm=201:"
      "entire atmosphere:0-6 hour acc fcst:prob >0.254:prob fcst 1/1\n",
      1000);
  ASSERT_TRUE(entries) << entries.error().message();
  ASSERT_EQ(entries->size(), 1U);
  const auto& entry = entries->front();
  EXPECT_EQ(entry.message, 7U);
  EXPECT_EQ(entry.submessage, 2U);
  EXPECT_EQ(entry.field, 1U);
  EXPECT_EQ(entry.line, 1U);
  EXPECT_EQ(entry.range, (core::ByteRange{123, 877}));
  EXPECT_EQ(entry.init, "2025080106");
  EXPECT_EQ(entry.element, "var discipline=0 center=7 local_table=1 parmcat=16 parm=201");
  EXPECT_EQ(entry.level, "entire atmosphere");
  EXPECT_EQ(entry.window, "0-6 hour acc fcst");
  EXPECT_EQ(entry.extra, "prob >0.254:prob fcst 1/1");
}

TEST(NoaaIdx, takes_a_whole_line_without_its_last_colon) {
  const std::string line = "1:0:d=2025080100:TMP:2 m above ground:6 hour fcst";
  for (const auto* ending : {"\n", "\r\n", "\n \n"}) {
    const auto text = line + ending;
    const auto entries = parse_noaa_idx(text, 9);
    ASSERT_TRUE(entries) << entries.error().message();
    EXPECT_EQ(entries->front().window, "6 hour fcst");
    EXPECT_EQ(entries->front().extra, "");
  }
  for (const auto& cut : {line, line.substr(0, line.size() - 3), line.substr(0, 20)}) {
    const auto entries = parse_noaa_idx(cut, 9);
    ASSERT_FALSE(entries);
    EXPECT_EQ(entries.error().code(), core::ErrorCode::kUnavailable) << cut;
  }
}

TEST(NoaaIdx, is_not_ready_wherever_its_text_is_cut) {
  // wgrib2's words: a cut inside a line is seen, one behind a line is the data's to tell
  const std::string text = golden_text("idx_base.grib2.idx");
  for (std::size_t size = 0; size < text.size(); ++size) {
    const auto entries = parse_noaa_idx(text.substr(0, size), 585);
    const bool at_a_line = size > 0 && (text[size - 1] == '\n' || text[size] == '\n');
    EXPECT_EQ(entries.has_value(), at_a_line) << size;
    if (entries) continue;
    EXPECT_EQ(entries.error().code(), core::ErrorCode::kUnavailable) << size;
  }
}

TEST(NoaaIdx, keeps_times_to_the_second) {
  const std::string text = "1:0:D=20250801003000:TMP:surface:anl:\n";
  const auto entries = parse_noaa_idx(text, 9);
  ASSERT_TRUE(entries) << entries.error().message();
  EXPECT_EQ(entries->front().init, "20250801003000");
  EXPECT_EQ(format_noaa_idx(*entries), text);
}

TEST(NoaaIdx, ignores_blank_lines_but_counts_them) {
  const auto entries = parse_noaa_idx(
      "\n\r\n1:0:d=2025080100:TMP:surface:anl:\n\n2:5:d=2025080100:RH:surface:anl:", 9);
  ASSERT_TRUE(entries) << entries.error().message();
  ASSERT_EQ(entries->size(), 2U);
  EXPECT_EQ((*entries)[0].line, 3U);
  EXPECT_EQ((*entries)[1].line, 5U);
}

TEST(NoaaIdx, counts_fields_of_one_message_when_lines_are_not_numbered) {
  const auto entries = parse_noaa_idx(
      "1:0:d=2025080100:A:s:anl:\n2:5:d=2025080100:B:s:anl:\n3:5:d=2025080100:C:s:anl:\n"
      "4:5:d=2025080100:D:s:anl:\n5:9:d=2025080100:E:s:anl:\n",
      20);
  ASSERT_TRUE(entries) << entries.error().message();
  std::vector<std::pair<core::ByteRange, std::uint32_t>> got;
  for (const auto& entry : *entries) got.emplace_back(entry.range, entry.field);
  using Pair = std::pair<core::ByteRange, std::uint32_t>;
  EXPECT_THAT(got, ::testing::ElementsAre(Pair{{0, 5}, 0}, Pair{{5, 4}, 0}, Pair{{5, 4}, 1},
                                          Pair{{5, 4}, 2}, Pair{{9, 11}, 0}));
}

struct ErrorCase {
  std::string name;
  std::string text;
  core::ErrorCode code;
  std::string message;  // a part of it
};

class NoaaIdxErrors : public ::testing::TestWithParam<ErrorCase> {};

TEST_P(NoaaIdxErrors, say_which_line_and_why) {
  const auto entries = parse_noaa_idx(GetParam().text, 100);
  ASSERT_FALSE(entries);
  EXPECT_EQ(entries.error().code(), GetParam().code);
  EXPECT_THAT(entries.error().message(), ::testing::HasSubstr(GetParam().message));
}

using enum core::ErrorCode;
INSTANTIATE_TEST_SUITE_P(
    , NoaaIdxErrors,
    ::testing::Values(
        ErrorCase{"empty", "", kUnavailable, "index holds no messages"},
        ErrorCase{"blank", "\n\n", kUnavailable, "index holds no messages"},
        ErrorCase{"no_offset", "1:x:d=2025080100:A:s:anl:\n", kCorrupt, "line 1"},
        ErrorCase{"negative_offset", "1:-5:d=2025080100:A:s:anl:\n", kCorrupt, "line 1"},
        ErrorCase{"huge_offset", "1:99999999999999999999:d=2025080100:A:s:anl:\n", kCorrupt,
                  "line 1"},
        ErrorCase{"offset_above_63_bits", "1:9223372036854775808:d=2025080100:A:s:anl:\n", kCorrupt,
                  "line 1"},
        ErrorCase{"no_date", "1:0:2025080100:A:s:anl:\n", kCorrupt, "line 1"},
        ErrorCase{"date_of_letters", "1:0:d=today:A:s:anl:\n", kCorrupt, "line 1"},
        ErrorCase{"submessage_zero", "1.0:0:d=2025080100:A:s:anl:\n", kCorrupt, "line 1"},
        ErrorCase{"html", "<html>503</html>", kCorrupt, "line 1: not an index line: '<html>"},
        ErrorCase{"at_the_end", "1:100:d=2025080100:A:s:anl:\n", kCorrupt,
                  "line 1: offset past end of data file"},
        ErrorCase{"backwards", "1:50:d=2025080100:A:s:anl:\n2:40:d=2025080100:B:s:anl:\n", kCorrupt,
                  "line 2: offset 40 lies before"},
        ErrorCase{"cut_in_the_window", "1:0:d=2025080100:A:s:anl:\n2:40:d=2025080100:B:s:6 hour fc",
                  kUnavailable, "line 2 is cut short"}),
    [](const auto& tested) { return tested.param.name; });

/// The byte ranges that the providers' reference reader finds for every variable of three datasets.
TEST(NoaaIdxVectors, give_the_ranges_of_the_reference) {
  const auto vectors = core::Json::parse(golden_text("idx_vectors_noaa.json"));
  ASSERT_TRUE(vectors);
  ASSERT_GT(vectors->as_array().size(), 200U);
  for (const auto& vector : vectors->as_array()) {
    const auto& variable = vector.find("variable")->as_string();
    const auto lead = static_cast<std::int32_t>(vector.find("lead_hours")->as_int64());
    const auto& label = vector.find("window")->as_string();
    const auto window = parse_window(label);
    ASSERT_TRUE(window) << label;
    if (const auto* reset = vector.find("reset_hours"); window->statistic != Statistic::kInstant) {
      const auto hours = reset->is_null()
                             ? std::nullopt
                             : std::optional(static_cast<std::int32_t>(reset->as_int64()));
      EXPECT_EQ(format_window(window_since_reset(lead, hours, window->statistic)), label);
    }
    const auto text = golden_text("idx_" + vector.find("index")->as_string());
    const auto entries = parse_noaa_idx(text, kLargeFile);
    ASSERT_TRUE(entries);
    std::vector<WantedField> wanted;
    for (const auto& element : vector.find("elements")->as_array()) {
      wanted.push_back({element.as_string(), vector.find("level")->as_string(), *window, 5});
    }
    const auto matches = MatchTable::compile(wanted).match(*entries);
    ASSERT_EQ(matches.hits.empty(), vector.find("absent")->as_bool()) << variable << " " << label;
    if (matches.hits.empty()) continue;
    const auto& range = (*entries)[matches.hits.front().entry].range;
    EXPECT_EQ(range.offset, vector.find("start")->as_uint64()) << variable;
    const auto* end = vector.find("end");
    EXPECT_EQ(range.end(), end->is_null() ? kLargeFile : end->as_uint64()) << variable;
  }
}

}  // namespace
}  // namespace icefield::grib
