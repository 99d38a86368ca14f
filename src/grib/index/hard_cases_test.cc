// Index sidecars that lie, are cut short or are late: one test per case, named by its id.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grib/index/ecmwf_index.h"
#include "grib/index/match.h"
#include "grib/index/noaa_idx.h"
#include "grib/index/verify.h"
#include "grib/index/window.h"
#include "grib/testing/golden.h"

namespace icefield::grib {
namespace {

using ::testing::ElementsAre;
using testing::golden_bytes;
using testing::golden_text;
using ::testing::HasSubstr;

struct Reference {
  std::string element;
  std::uint64_t offset;
  std::uint64_t length;
  friend bool operator==(const Reference&, const Reference&) = default;
};

std::vector<Reference> references(std::span<const NoaaIdxEntry> entries) {
  std::vector<Reference> out;
  for (const auto& entry : entries) {
    out.push_back({std::string(entry.element), entry.range.offset, entry.range.length});
  }
  return out;
}

core::Result<Verification> verify(std::string_view data_name, std::string_view index_name,
                                  const VerifyOptions& options) {
  const auto data = golden_bytes(data_name);
  const auto text = golden_text(index_name);
  const core::BytesReader reader(data, std::string(data_name));
  TRY_ASSIGN(const auto entries, parse_noaa_idx(text, data.size()));
  return verify_claims(message_claims(entries), reader, options);
}

TEST(IDX_1, last_message_ends_with_the_data_file) {
  const auto data = golden_bytes("idx_base.grib2");
  ASSERT_EQ(data.size(), 585U);
  for (const auto* name : {"idx_base.grib2.idx", "idx_no_final_newline.idx", "idx_crlf.idx"}) {
    const auto text = golden_text(name);
    const auto entries = parse_noaa_idx(text, data.size());
    ASSERT_TRUE(entries) << entries.error().message();
    EXPECT_THAT(references(*entries),
                ElementsAre(Reference{"TMP", 0, 203}, Reference{"UGRD", 203, 191},
                            Reference{"VGRD", 394, 191}))
        << name;
    for (const auto& entry : *entries) {
      const auto message = core::as_text(data).substr(entry.range.offset, entry.range.length);
      EXPECT_TRUE(message.starts_with("GRIB"));
      EXPECT_TRUE(message.ends_with("7777"));
      EXPECT_TRUE(entry.extra.empty());
    }
    const core::BytesReader reader(data, "base");
    const auto verified = verify_claims(message_claims(*entries), reader, {VerifyMode::kAll});
    ASSERT_TRUE(verified);
    EXPECT_TRUE(verified->ok());
    EXPECT_EQ(verified->checked, 3U);
  }
}

TEST(IDX_2, stale_index_is_found_by_the_declared_lengths) {
  for (const auto mode : {VerifyMode::kAll, VerifyMode::kSample}) {
    const auto verified = verify("idx_base.grib2", "idx_stale_in_bounds.idx", {mode});
    ASSERT_TRUE(verified) << verified.error().message();
    ASSERT_FALSE(verified->ok());
    const auto& first = verified->broken.front();
    EXPECT_EQ(first.claim.message, 1U);
    EXPECT_THAT(first.reason, HasSubstr("declared message length differs from index span"));
    EXPECT_THAT(describe(*verified), HasSubstr("message 1: declared message length differs"));
  }
  const auto unchecked = verify("idx_base.grib2", "idx_stale_in_bounds.idx", {VerifyMode::kNone});
  ASSERT_TRUE(unchecked);
  EXPECT_TRUE(unchecked->ok());
  EXPECT_EQ(unchecked->checked, 0U);
}

TEST(IDX_3, offset_past_the_end_is_an_error) {
  const auto entries = parse_noaa_idx(golden_text("idx_past_eof.idx"), 585);
  ASSERT_FALSE(entries);
  EXPECT_EQ(entries.error().code(), core::ErrorCode::kCorrupt);
  EXPECT_THAT(entries.error().message(), HasSubstr("line 3: offset past end of data file"));
}

TEST(IDX_4, data_that_ends_inside_a_message_is_found) {
  const auto verified = verify("idx_truncated_mid_message.grib2",
                               "idx_truncated_mid_message.grib2.idx", {VerifyMode::kSample});
  ASSERT_TRUE(verified) << verified.error().message();
  ASSERT_EQ(verified->broken.size(), 1U);
  const auto& broken = verified->broken.front();
  EXPECT_EQ(broken.claim.message, 3U);
  EXPECT_EQ(broken.declared, 191U);
  EXPECT_EQ(broken.available, 40U);
  EXPECT_EQ(describe(*verified),
            "message 3: data file ends inside the message (declared 191 octets, 40 available)");
}

TEST(IDX_5, empty_objects_are_not_ready) {
  const auto index = golden_text("idx_base.grib2.idx");
  const auto no_index = parse_noaa_idx(golden_text("idx_empty.idx"), 585);
  ASSERT_FALSE(no_index);
  EXPECT_EQ(no_index.error().code(), core::ErrorCode::kUnavailable);
  EXPECT_EQ(no_index.error().message(), "index holds no messages");
  const auto no_data = parse_noaa_idx(index, golden_bytes("idx_empty.grib2").size());
  ASSERT_FALSE(no_data);
  EXPECT_EQ(no_data.error().code(), core::ErrorCode::kUnavailable);
  EXPECT_EQ(no_data.error().message(), "data file is empty");
}

TEST(IDX_6, lines_that_are_not_index_lines_are_named) {
  const auto entries = parse_noaa_idx(golden_text("idx_malformed_lines.idx"), 585);
  ASSERT_FALSE(entries);
  EXPECT_EQ(entries.error().code(), core::ErrorCode::kCorrupt);
  EXPECT_THAT(entries.error().message(), ::testing::StartsWith("line 4: "));
  EXPECT_THAT(entries.error().message(), HasSubstr("2 such lines: 4, 5"));
}

TEST(IDX_7, fields_of_one_message_share_its_range) {
  const auto data = golden_bytes("idx_multifield.grib2");
  const auto text = golden_text("idx_multifield.grib2.idx");
  const auto entries = parse_noaa_idx(text, data.size());
  ASSERT_TRUE(entries) << entries.error().message();
  EXPECT_THAT(references(*entries),
              ElementsAre(Reference{"TMP", 0, 203}, Reference{"UGRD", 203, 269},
                          Reference{"VGRD", 203, 269}));
  EXPECT_EQ((*entries)[1].field, 0U);
  EXPECT_EQ((*entries)[2].field, 1U);
  const core::BytesReader reader(data, "multifield");
  const auto verified = verify_claims(message_claims(*entries), reader, {VerifyMode::kAll});
  ASSERT_TRUE(verified);
  EXPECT_TRUE(verified->ok());
  EXPECT_EQ(verified->checked, 2U);
}

struct Record {
  std::string element;
  int start_hours;
  int end_hours;
  Statistic statistic;
  std::uint64_t offset;
  friend bool operator==(const Record&, const Record&) = default;
};

std::vector<Record> records(std::string_view text, std::uint64_t data_size) {
  std::vector<Record> out;
  const auto entries = parse_noaa_idx(text, data_size);
  EXPECT_TRUE(entries);
  if (!entries) return out;
  for (const auto& entry : *entries) {
    const auto window = parse_window(entry.window);
    EXPECT_TRUE(window) << entry.window;
    if (!window) continue;
    out.push_back({std::string(entry.element), window->start_minutes / 60, window->end_minutes / 60,
                   window->statistic, entry.range.offset});
    EXPECT_EQ(entry.range.length, 1000U);
  }
  return out;
}

/// Offset of the one APCP at the surface for [start, end] hours.
std::uint64_t select_precipitation(std::string_view name, std::uint64_t data_size, int start,
                                   int end) {
  const auto text = golden_text(name);
  const auto entries = parse_noaa_idx(text, data_size);
  EXPECT_TRUE(entries);
  const std::vector<WantedField> wanted = {
      {"APCP", "surface", {start * 60, end * 60, Statistic::kAccumulation}, 0}};
  const auto found = MatchTable::compile(wanted).match(*entries);
  EXPECT_EQ(found.hits.size(), 1U);
  EXPECT_TRUE(found.duplicates.empty());
  return (*entries)[found.hits.front().entry].range.offset;
}

TEST(IDX_8a, day_and_hour_labels_are_the_same_windows) {
  using enum Statistic;
  EXPECT_THAT(
      records(golden_text("idx_accum_day_labels_f024.idx"), 6000),
      ElementsAre(
          Record{"APCP", 18, 24, kAccumulation, 0}, Record{"APCP", 0, 24, kAccumulation, 1000},
          Record{"ASNOW", 0, 24, kAccumulation, 2000}, Record{"DSWRF", 18, 24, kAverage, 3000},
          Record{"TMP", 24, 24, kInstant, 4000}, Record{"TMAX", 18, 24, kMaximum, 5000}));
  EXPECT_EQ(select_precipitation("idx_accum_day_labels_f024.idx", 6000, 0, 24), 1000U);
  EXPECT_EQ(select_precipitation("idx_accum_day_labels_f024.idx", 6000, 18, 24), 0U);
}

TEST(IDX_8b, hour_zero_labels_are_windows_of_no_length) {
  using enum Statistic;
  EXPECT_THAT(
      records(golden_text("idx_accum_f000.idx"), 3000),
      ElementsAre(Record{"APCP", 0, 0, kAccumulation, 0}, Record{"TMP", 0, 0, kInstant, 1000},
                  Record{"PRATE", 0, 0, kInstant, 2000}));
}

TEST(IDX_8c, labels_that_contain_one_another_are_told_apart) {
  EXPECT_EQ(select_precipitation("idx_accum_prefix_f011.idx", 3000, 10, 11), 1000U);
  EXPECT_EQ(select_precipitation("idx_accum_prefix_f011.idx", 3000, 0, 1), 2000U);
  EXPECT_EQ(select_precipitation("idx_accum_prefix_f011.idx", 3000, 0, 11), 0U);
}

TEST(IDX_9, the_first_of_two_equal_labels_is_the_hit_and_both_are_reported) {
  const auto text = golden_text("idx_duplicate_window_f006.idx");
  const auto entries = parse_noaa_idx(text, 2000);
  ASSERT_TRUE(entries);
  const std::vector<WantedField> wanted = {
      {"APCP", "surface", {0, 360, Statistic::kAccumulation}, 0}};
  const auto found = MatchTable::compile(wanted).match(*entries);
  ASSERT_EQ(found.hits.size(), 1U);
  EXPECT_EQ((*entries)[found.hits.front().entry].range, (core::ByteRange{0, 700}));
  ASSERT_EQ(found.duplicates.size(), 1U);
  EXPECT_THAT(ambiguous(found.duplicates.front(), *entries).message(),
              ::testing::AllOf(HasSubstr("ambiguous: 2 matches"), HasSubstr("lines 1, 2")));
}

TEST(IDX_10, json_lines_cut_short_are_not_ready) {
  const auto text = golden_text("idx_partial_last_line.index");
  const auto rows = parse_ecmwf_index(text, std::nullopt);
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().code(), core::ErrorCode::kUnavailable);
  EXPECT_THAT(rows.error().message(), HasSubstr("line 4 is not a whole JSON object"));
  const auto whole = parse_ecmwf_index(
      text + R"(, "param": "v", "number": 2, "_offset": 19900, "_length": 1})", std::nullopt);
  ASSERT_TRUE(whole) << whole.error().message();
  EXPECT_EQ(whole->size(), 4U);
}

TEST(IDX_11, members_are_read_from_every_file) {
  const auto members_of = [](std::string_view name) {
    const auto rows = parse_ecmwf_index(golden_text(name), std::nullopt);
    EXPECT_TRUE(rows);
    return members(*rows);
  };
  EXPECT_THAT(members_of("idx_enfo_before_merge.index"), ElementsAre(0, 1, 2));
  EXPECT_THAT(members_of("idx_enfo_after_merge.index"), ElementsAre(1, 2));
  EXPECT_THAT(members_of("idx_oper_after_merge.index"), ElementsAre(0));
}

TEST(IDX_12, json_offsets_keep_64_bits) {
  const auto rows = parse_ecmwf_index(golden_text("idx_large_offsets.index"), 7516192768);
  ASSERT_TRUE(rows) << rows.error().message();
  ASSERT_EQ(rows->size(), 2U);
  EXPECT_EQ((*rows)[0].member, 49U);
  EXPECT_EQ((*rows)[0].range, (core::ByteRange{4294967290, 6500}));
  EXPECT_EQ((*rows)[1].member, 50U);
  EXPECT_EQ((*rows)[1].range, (core::ByteRange{5368709120, 2147483648}));
}

TEST(IDX_12b, text_offsets_keep_64_bits) {
  const auto text = golden_text("idx_large_offsets.idx");
  const auto entries = parse_noaa_idx(text, 4294968000);
  ASSERT_TRUE(entries) << entries.error().message();
  EXPECT_THAT(references(*entries), ElementsAre(Reference{"TMP", 0, 2147483648},
                                                Reference{"UGRD", 2147483648, 2147483648},
                                                Reference{"VGRD", 4294967296, 704}));
}

TEST(VerifySample, takes_first_last_and_the_same_choice_each_time) {
  std::vector<MessageClaim> claims;
  for (std::uint32_t i = 0; i < 100; ++i) claims.push_back({i + 1, {i * 20, 20}});
  std::vector<std::vector<core::ByteRange>> asked;
  const auto fetch = [&](std::span<const core::ByteRange> ranges) {
    asked.emplace_back(ranges.begin(), ranges.end());
    std::vector<core::Result<core::Bytes>> results;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      core::Bytes header = core::to_bytes(std::string_view("GRIB\0\0\0\2\0\0\0\0\0\0\0\x14", 16));
      results.emplace_back(std::move(header));
    }
    return results;
  };
  for (const std::uint64_t seed : {1U, 1U, 2U}) {
    const auto verified = verify_claims(claims, 2000, fetch, {.sample = 5, .seed = seed});
    ASSERT_TRUE(verified);
    EXPECT_TRUE(verified->ok());
    EXPECT_EQ(verified->checked, 7U);
  }
  EXPECT_EQ(asked[0].front().offset, 0U);
  EXPECT_EQ(asked[0].back().offset, 1980U);
  EXPECT_EQ(asked[0], asked[1]);
  EXPECT_NE(asked[0], asked[2]);
}

TEST(Verify, names_what_stands_at_the_offset) {
  const auto header = [](std::string_view octets) {
    return [octets](std::span<const core::ByteRange>) {
      return std::vector<core::Result<core::Bytes>>{core::to_bytes(octets)};
    };
  };
  const std::vector<MessageClaim> claim = {{4, {100, 50}}};
  const auto reason = [&](std::string_view octets, const VerifyOptions& options) {
    const auto verified = verify_claims(claim, 200, header(octets), options);
    EXPECT_TRUE(verified);
    return verified->ok() ? "" : verified->broken.front().reason;
  };
  constexpr std::string_view kEdition1("GRIB\0\0\x32\1........", 16);
  EXPECT_EQ(reason("this is no header", {}), "no GRIB message at the offset");
  EXPECT_THAT(reason(kEdition1, {}), HasSubstr("edition 1"));
  EXPECT_EQ(reason(kEdition1, {.accept_edition_1 = true}), "");
}

TEST(Verify, passes_on_what_the_source_says) {
  const std::vector<MessageClaim> claim = {{4, {100, 50}}};
  const auto fetch = [](std::span<const core::ByteRange>) {
    return std::vector<core::Result<core::Bytes>>{
        core::Error(core::ErrorCode::kPermissionDenied, "HTTP 403")};
  };
  const auto verified = verify_claims(claim, 200, fetch, {});
  ASSERT_FALSE(verified);
  EXPECT_EQ(verified.error().code(), core::ErrorCode::kPermissionDenied);
}

}  // namespace
}  // namespace icefield::grib
