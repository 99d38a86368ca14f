#include "grib/index/ecmwf_index.h"

#include <chrono>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/json.h"
#include "grib/index/ecmwf_match.h"
#include "grib/testing/golden.h"

namespace icefield::grib {
namespace {

using ::testing::ElementsAre;
using testing::golden_text;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(EcmwfIndex, reads_open_data) {
  const auto rows =
      parse_ecmwf_index(golden_text("idx_aifs_single_20250301_00z_6h.index"), std::nullopt);
  ASSERT_TRUE(rows) << rows.error().message();
  ASSERT_EQ(rows->size(), 102U);
  const auto& row = rows->front();
  EXPECT_EQ(row.range, (core::ByteRange{0, 712117}));
  EXPECT_EQ(row.param, "vsw");
  EXPECT_EQ(row.levtype, "sol");
  EXPECT_EQ(row.type, "fc");
  EXPECT_EQ(row.stream, "oper");
  EXPECT_EQ(row.level, 1.0);
  EXPECT_EQ(row.member, 0U);
  EXPECT_EQ(row.step_end_minutes, 360);
  EXPECT_EQ(row.init, std::chrono::sys_days{std::chrono::March / 1 / 2025});
}

TEST(EcmwfIndex, is_written_back_as_it_was_read) {
  for (const auto* name :
       {"idx_aifs_single_20250301_00z_0h.index", "idx_aifs_single_20250301_00z_6h.index",
        "idx_mars_cf_pl.idx", "idx_mars_cf_sfc.idx", "idx_mars_pf_sfc.idx",
        "idx_s2s_control_2026-08-10T00Z.grib2.index", "idx_enfo_before_merge.index",
        "idx_enfo_after_merge.index", "idx_oper_after_merge.index", "idx_large_offsets.index"}) {
    const auto text = golden_text(name);
    const auto rows = parse_ecmwf_index(text, std::nullopt);
    ASSERT_TRUE(rows) << name << ": " << rows.error().message();
    EXPECT_EQ(format_ecmwf_index(*rows), text) << name;
  }
}

TEST(EcmwfIndex, is_written_with_the_ranges_that_its_rows_have) {
  auto rows = parse_ecmwf_index(golden_text("idx_mars_pf_sfc.idx"), std::nullopt);
  ASSERT_TRUE(rows) << rows.error().message();
  rows->erase(rows->begin());
  rows->front().range.offset = 0;  // cut out of its file
  EXPECT_EQ(format_ecmwf_index(*rows),
            R"({"type": "pf", "param": "2t", "step": 3, "levtype": "sfc", "_offset": 0, )"
            R"("_length": 2076642, "number": 1})"
            "\n");
}

TEST(EcmwfIndex, is_not_ready_while_its_last_line_is_no_object) {
  const std::string good = R"({"param":"t","type":"fc","_offset":0,"_length":5})";
  const std::string past = R"({"param":"t","type":"fc","_offset":90,"_length":50})";
  for (const auto& text :
       {good + "\n{\"par", good + "\n{\"par\n", good + "\n{\"par\r\n\n", past + "\n{\"par",
        "{" + good + "\n[1", good + "\n7", std::string("{\"par")}) {
    const auto rows = parse_ecmwf_index(text, 100);
    ASSERT_FALSE(rows) << text;
    EXPECT_EQ(rows.error().code(), core::ErrorCode::kUnavailable) << text;
    EXPECT_THAT(rows.error().message(), HasSubstr("not a whole JSON object")) << text;
  }
  EXPECT_TRUE(parse_ecmwf_index(good, 100));
  EXPECT_TRUE(parse_ecmwf_index(good + "\r\n \n", 100));
  const auto middle = parse_ecmwf_index(good + "\n{\"par\n" + good, 100);
  ASSERT_FALSE(middle);
  EXPECT_EQ(middle.error().code(), core::ErrorCode::kCorrupt);
  EXPECT_THAT(middle.error().message(), ::testing::StartsWith("line 2: "));
}

TEST(EcmwfIndex, reads_the_archive_with_several_steps) {
  const auto rows = parse_ecmwf_index(golden_text("idx_mars_pf_sfc.idx"), std::nullopt);
  ASSERT_TRUE(rows) << rows.error().message();
  ASSERT_EQ(rows->size(), 2U);
  EXPECT_EQ((*rows)[1].member, 1U);
  EXPECT_EQ((*rows)[1].step_end_minutes, 180);
  EXPECT_EQ((*rows)[1].range, (core::ByteRange{705336632, 2076642}));
  EXPECT_EQ((*rows)[1].level, std::nullopt);
}

TEST(EcmwfIndex, reads_the_form_with_variable_names) {
  const auto rows =
      parse_ecmwf_index(golden_text("idx_s2s_control_2026-08-10T00Z.grib2.index"), 490152);
  ASSERT_TRUE(rows) << rows.error().message();
  ASSERT_EQ(rows->size(), 11U);
  EXPECT_EQ((*rows)[1].param, "2_m_temperature");
  EXPECT_EQ((*rows)[1].range, (core::ByteRange{58286, 58286}));
  EXPECT_EQ((*rows)[1].step_end_minutes, 48 * 60);
  EXPECT_EQ((*rows)[1].member, 0U);
  EXPECT_EQ((*rows)[1].level, std::nullopt);
  EXPECT_EQ((*rows)[3].level, 500.0);
  EXPECT_EQ((*rows)[3].levtype, "pl");
}

TEST(EcmwfIndex, reads_numbers_and_quoted_numbers_alike) {
  const auto quoted = parse_ecmwf_index(
      R"({"type":"pf","param":"t","levtype":"pl","levelist":"500","number":"7","step":"12","_offset":"5","_length":"6"})",
      std::nullopt);
  const auto plain = parse_ecmwf_index(
      R"({"type":"pf","param":"t","levtype":"pl","levelist":500,"number":7,"step":12,"_offset":5,"_length":6})",
      std::nullopt);
  ASSERT_TRUE(quoted && plain);
  EXPECT_EQ(quoted->front().level, plain->front().level);
  EXPECT_EQ(quoted->front().member, plain->front().member);
  EXPECT_EQ(quoted->front().step_end_minutes, plain->front().step_end_minutes);
  EXPECT_EQ(quoted->front().range, plain->front().range);
}

TEST(EcmwfIndex, reads_ranges_of_steps) {
  const auto rows =
      parse_ecmwf_index(R"({"type":"em","param":"tp","step":"0-24","_offset":5,"_length":6})"
                        "\n"
                        R"({"type":"fc","param":"tp","step":"90m","_offset":5,"_length":6})",
                        std::nullopt);
  ASSERT_TRUE(rows) << rows.error().message();
  EXPECT_EQ(rows->front().step_start_minutes, 0);
  EXPECT_EQ(rows->front().step_end_minutes, 1440);
  EXPECT_EQ(rows->front().member, std::nullopt);
  EXPECT_EQ(rows->back().step_end_minutes, 90);
}

struct ErrorCase {
  std::string name;
  std::string text;
  core::ErrorCode code;
  std::string message;  // a part of it
};

class EcmwfIndexErrors : public ::testing::TestWithParam<ErrorCase> {};

TEST_P(EcmwfIndexErrors, say_which_line_and_why) {
  const auto rows = parse_ecmwf_index(GetParam().text, 100);
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().code(), GetParam().code);
  EXPECT_THAT(rows.error().message(), HasSubstr(GetParam().message));
}

using enum core::ErrorCode;
INSTANTIATE_TEST_SUITE_P(
    , EcmwfIndexErrors,
    ::testing::Values(
        ErrorCase{"empty", "", kUnavailable, "index holds no messages"},
        ErrorCase{"html", "<html>\n", kCorrupt, "line 1"},
        ErrorCase{"array", "[1]\n", kCorrupt, "line 1: not a JSON object"},
        ErrorCase{"no_range", "{\"param\":\"t\"}\n", kCorrupt, "line 1: no offset and length"},
        ErrorCase{"no_param", "{\"_offset\":1,\"_length\":2}\n", kCorrupt, "line 1: no param"},
        ErrorCase{"length_zero", "{\"param\":\"t\",\"_offset\":1,\"_length\":0}\n", kCorrupt,
                  "line 1: message of length 0"},
        ErrorCase{"past_the_end", "{\"param\":\"t\",\"_offset\":100,\"_length\":1}\n", kCorrupt,
                  "line 1: offset past end of data file"},
        ErrorCase{"ends_past", "{\"param\":\"t\",\"_offset\":99,\"_length\":2}\n", kCorrupt,
                  "line 1: message ends past end of data file"},
        ErrorCase{"overflow", "{\"param\":\"t\",\"_offset\":9223372036854775807,\"_length\":2}\n",
                  kCorrupt, "63 bits"},
        ErrorCase{"perturbed_without_number",
                  "{\"param\":\"t\",\"type\":\"pf\",\"_offset\":1,\"_length\":2}\n", kCorrupt,
                  "without a member"},
        ErrorCase{"member_zero_of_perturbed",
                  "{\"param\":\"t\",\"type\":\"pf\",\"number\":0,\"_offset\":1,\"_length\":2}\n",
                  kCorrupt, "member 0"},
        ErrorCase{"level_of_letters",
                  "{\"param\":\"t\",\"levelist\":\"x\",\"_offset\":1,\"_length\":2}\n", kCorrupt,
                  "level"},
        ErrorCase{"step_of_letters",
                  "{\"param\":\"t\",\"step\":\"x\",\"_offset\":1,\"_length\":2}\n", kCorrupt,
                  "step 'x'"}),
    [](const auto& tested) { return tested.param.name; });

constexpr double kAny = std::numeric_limits<double>::quiet_NaN();

TEST(EcmwfMatch, tells_levels_members_and_steps_apart) {
  const auto rows = parse_ecmwf_index(
      R"({"type":"cf","param":"t","levtype":"pl","levelist":500,"step":6,"_offset":0,"_length":1})"
      "\n"
      R"({"type":"pf","param":"t","levtype":"pl","levelist":"500","number":"1","step":6,"_offset":1,"_length":1})"
      "\n"
      R"({"type":"cf","param":"t","levtype":"pl","levelist":850,"step":6,"_offset":2,"_length":1})"
      "\n"
      R"({"type":"cf","param":"2t","levtype":"sfc","step":6,"_offset":3,"_length":1})"
      "\n"
      R"({"type":"cf","param":"2t","levtype":"sfc","step":9,"_offset":4,"_length":1})"
      "\n"
      R"({"type":"cf","param":"2t","levtype":"sfc","step":6,"_offset":5,"_length":1})"
      "\n",
      6);
  ASSERT_TRUE(rows) << rows.error().message();
  const std::vector<EcmwfWanted> wanted = {
      {"t", "pl", 500, 1}, {"2t", "sfc", kAny, 2}, {"tp", "sfc", kAny, 3}};
  const auto table = EcmwfMatchTable::compile(wanted);

  const auto found = table.match(*rows, {.step_end_minutes = 360});
  EXPECT_THAT(found.hits, ElementsAre(IndexHit{1, 0}, IndexHit{1, 1}, IndexHit{2, 3}));
  EXPECT_THAT(found.duplicates, ElementsAre(DuplicateHit{2, {3, 5}}));
  EXPECT_THAT(found.unmatched, ElementsAre(2));
  EXPECT_THAT(found.absent, ElementsAre(3));
  EXPECT_EQ(ambiguous(found.duplicates.front(), *rows).message(),
            "ambiguous: 2 matches for 2t:sfc (lines 4, 6)");

  const auto of_member = table.match(*rows, {.member = 1});
  EXPECT_THAT(of_member.hits, ElementsAre(IndexHit{1, 1}));
  EXPECT_THAT(of_member.unmatched, IsEmpty());
  EXPECT_THAT(of_member.absent, ElementsAre(2, 3));
}

/// The byte ranges that the providers' reference reader finds for every variable of one dataset.
TEST(EcmwfIndexVectors, give_the_ranges_of_the_reference) {
  const auto vectors = core::Json::parse(golden_text("idx_vectors_ecmwf.json"));
  ASSERT_TRUE(vectors);
  ASSERT_GT(vectors->as_array().size(), 30U);
  for (const auto& vector : vectors->as_array()) {
    const auto rows =
        parse_ecmwf_index(golden_text("idx_" + vector.find("index")->as_string()), std::nullopt);
    ASSERT_TRUE(rows);
    const auto* level = vector.find("level");
    const std::vector<EcmwfWanted> wanted = {{vector.find("param")->as_string(),
                                              vector.find("levtype")->as_string(),
                                              level->is_number() ? level->as_double() : kAny, 0}};
    const auto found = EcmwfMatchTable::compile(wanted).match(*rows, {});
    ASSERT_EQ(found.hits.size(), 1U) << vector.find("variable")->as_string();
    const auto& range = (*rows)[found.hits.front().entry].range;
    EXPECT_EQ(range.offset, vector.find("start")->as_uint64());
    EXPECT_EQ(range.end(), vector.find("end")->as_uint64());
  }
}

}  // namespace
}  // namespace icefield::grib
