#include "grib/index/match.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace icefield::grib {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* kText =
    "1:0:d=2025080100:TMP:surface:1 hour fcst:\n"
    "2:10:d=2025080100:APCP:surface:0-1 hour acc fcst:\n"
    "3:20:d=2025080100:APCP:surface:0-60 min acc fcst:\n"
    "4:30:d=2025080100:TMP:2 m above ground:1 hour fcst:ens mean\n"
    "5:40:d=2025080100:TMP:2 m above ground:1 hour fcst:ens spread\n"
    "6:50:d=2025080100:XYZ:surface:1 month fcst:\n";

std::vector<NoaaIdxEntry> entries() {
  auto parsed = parse_noaa_idx(kText, 60);
  EXPECT_TRUE(parsed);
  return *std::move(parsed);
}

Window hours(int start, int end, Statistic statistic) {
  return {start * 60, end * 60, statistic};
}

TEST(Match, accounts_for_every_entry_and_payload) {
  const std::vector<WantedField> wanted = {
      {"TMP", "surface", instant_window(60), 7},
      {"RH", "surface", instant_window(60), 9},
  };
  const auto found = MatchTable::compile(wanted).match(entries());
  EXPECT_THAT(found.hits, ElementsAre(IndexHit{7, 0}));
  EXPECT_THAT(found.duplicates, IsEmpty());
  EXPECT_THAT(found.unmatched, ElementsAre(1, 2, 3, 4, 5));
  EXPECT_THAT(found.unreadable, ElementsAre(5));
  EXPECT_THAT(found.absent, ElementsAre(9));
}

TEST(Match, gives_one_message_to_several_payloads) {
  const auto window = hours(0, 1, Statistic::kAccumulation);
  const std::vector<WantedField> wanted = {{"APCP", "surface", window, 1},
                                           {"APCP", "surface", window, 2}};
  const auto found = MatchTable::compile(wanted).match(entries());
  EXPECT_THAT(found.hits, ElementsAre(IndexHit{1, 1}, IndexHit{2, 1}));
  EXPECT_THAT(found.duplicates, ElementsAre(DuplicateHit{1, {1, 2}}, DuplicateHit{2, {1, 2}}));
}

TEST(Match, finds_a_quantity_under_any_of_its_names) {
  const std::vector<WantedField> wanted = {{"TMPold", "surface", instant_window(60), 1},
                                           {"TMP", "surface", instant_window(60), 1}};
  const auto found = MatchTable::compile(wanted).match(entries());
  EXPECT_THAT(found.hits, ElementsAre(IndexHit{1, 0}));
  EXPECT_THAT(found.duplicates, IsEmpty());
}

TEST(Match, is_not_confused_by_a_name_that_is_wanted_twice) {
  const std::vector<WantedField> wanted = {{"TMP", "surface", instant_window(60), 1},
                                           {"TMP", "surface", instant_window(60), 1}};
  const auto found = MatchTable::compile(wanted).match(entries());
  EXPECT_THAT(found.hits, ElementsAre(IndexHit{1, 0}));
  EXPECT_THAT(found.duplicates, IsEmpty());
}

TEST(Match, compares_the_rest_of_the_line_when_asked) {
  const std::vector<WantedField> wanted = {
      {"TMP", "2 m above ground", instant_window(60), 1, "ens spread"},
      {"TMP", "2 m above ground", instant_window(60), 2, "ens mean"},
      {"TMP", "2 m above ground", instant_window(60), 3, ""},
  };
  const auto found = MatchTable::compile(wanted).match(entries());
  EXPECT_THAT(found.hits, ElementsAre(IndexHit{2, 3}, IndexHit{1, 4}));
  EXPECT_THAT(found.absent, ElementsAre(3));
}

TEST(Match, names_lines_of_an_ambiguous_label) {
  const std::vector<WantedField> wanted = {
      {"APCP", "surface", hours(0, 1, Statistic::kAccumulation), 1}};
  const auto all = entries();
  const auto found = MatchTable::compile(wanted).match(all);
  ASSERT_EQ(found.duplicates.size(), 1U);
  EXPECT_EQ(ambiguous(found.duplicates.front(), all).message(),
            "ambiguous: 2 matches for APCP:surface:0-1 hour acc fcst (lines 2, 3)");
}

TEST(Match, wants_nothing_from_an_empty_table) {
  const auto found = MatchTable::compile({}).match(entries());
  EXPECT_THAT(found.hits, IsEmpty());
  EXPECT_EQ(found.unmatched.size(), 6U);
}

TEST(Match, holds_for_tables_of_many_fields) {
  std::vector<WantedField> wanted;
  std::string text;
  for (std::uint32_t i = 0; i < 2000; ++i) {
    const auto level = std::to_string(i) + " mb";
    wanted.push_back({"HGT", level, instant_window(0), 100000 - i});
    text += std::to_string(i + 1) + ":" + std::to_string(i * 3) + ":d=2025080100:HGT:" + level +
            ":anl:\n";
  }
  const auto parsed = parse_noaa_idx(text, 6000);
  ASSERT_TRUE(parsed);
  const auto found = MatchTable::compile(wanted).match(*parsed);
  ASSERT_EQ(found.hits.size(), 2000U);
  for (std::uint32_t i = 0; i < 2000; ++i) EXPECT_EQ(found.hits[i], (IndexHit{100000 - i, i}));
}

}  // namespace
}  // namespace icefield::grib
