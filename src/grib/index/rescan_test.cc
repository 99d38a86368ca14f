// What takes the place of an index: entries made from the data file's own headers.
#include "grib/index/rescan.h"

#include <string>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grib/index/verify.h"
#include "grib/testing/golden.h"

namespace icefield::grib {
namespace {

using ::testing::ElementsAre;
using testing::golden_bytes;
using testing::golden_text;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Memory that counts what is read of it.
class CountingReader final : public core::RangeReader {
 public:
  explicit CountingReader(const core::Bytes& bytes) : reader_(bytes, "counted") {}
  std::uint64_t size() const override { return reader_.size(); }
  const std::string& name() const override { return reader_.name(); }
  core::Status read_exactly(std::uint64_t offset, std::span<std::byte> out) const override {
    octets += out.size();
    return reader_.read_exactly(offset, out);
  }
  mutable std::uint64_t octets = 0;

 private:
  core::BytesReader reader_;
};

core::Result<NoaaRescan> rescan(const std::string& name) {
  const auto bytes = golden_bytes(name);
  return rescan_noaa(core::BytesReader(bytes, name));
}

using Reference = std::tuple<std::string, std::string, std::uint64_t, std::uint64_t, std::uint32_t>;

std::vector<Reference> references(const NoaaRescan& found) {
  std::vector<Reference> out;
  for (const auto& entry : found.entries) {
    out.emplace_back(entry.element, entry.level, entry.range.offset, entry.range.length,
                     entry.field);
  }
  return out;
}

TEST(Rescan, gives_the_references_of_a_true_index) {
  const auto found = rescan("idx_base.grib2");
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_THAT(references(*found), ElementsAre(Reference{"TMP", "2 m above ground", 0, 203, 0},
                                              Reference{"UGRD", "10 m above ground", 203, 191, 0},
                                              Reference{"VGRD", "10 m above ground", 394, 191, 0}));
  EXPECT_EQ(format_noaa_idx(found->entries), golden_text("idx_base.grib2.idx"));
  EXPECT_THAT(found->reported, IsEmpty());
  EXPECT_EQ(found->left_out, 0U);
}

TEST(Rescan, tells_the_fields_of_one_message_apart) {
  const auto found = rescan("idx_multifield.grib2");
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_THAT(references(*found), ElementsAre(Reference{"TMP", "2 m above ground", 0, 203, 0},
                                              Reference{"UGRD", "10 m above ground", 203, 269, 0},
                                              Reference{"VGRD", "10 m above ground", 203, 269, 1}));
}

TEST(Rescan, keeps_whole_messages_and_reports_the_one_that_is_cut) {
  const auto found = rescan("idx_truncated_mid_message.grib2");
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_THAT(references(*found), ElementsAre(Reference{"TMP", "2 m above ground", 0, 203, 0},
                                              Reference{"UGRD", "10 m above ground", 203, 191, 0}));
  ASSERT_EQ(found->reported.size(), 1U);
  EXPECT_EQ(found->reported[0].offset, 394U);
  EXPECT_THAT(found->reported[0].reason, HasSubstr("declared 191 octets, 40 available"));
  EXPECT_EQ(found->left_out, 1U);
}

TEST(Rescan, has_no_entry_for_a_product_that_is_not_known) {
  const auto found = rescan("scan_unknown_product_template.grib2");
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_EQ(found->entries.size(), 2U);
  EXPECT_EQ(found->reported.size(), 1U);
  const auto bytes = golden_bytes("scan_unknown_product_template.grib2");
  const auto rows = rescan_ecmwf(core::BytesReader(bytes, "unknown"));
  ASSERT_TRUE(rows) << rows.error().message();
  EXPECT_EQ(rows->rows.size(), 2U);
  EXPECT_EQ(rows->reported.size(), 1U);
  EXPECT_EQ(found->left_out, 1U);
  EXPECT_EQ(rows->left_out, 1U);
}

TEST(Rescan, of_a_field_before_its_reference_time_has_no_ecmwf_row) {
  const auto bytes = golden_bytes("scan_negative_forecast_time.grib2");
  const auto rows = rescan_ecmwf(core::BytesReader(bytes, "negative"));
  ASSERT_FALSE(rows);
  EXPECT_THAT(rows.error().message(), HasSubstr("no forecast step that an index can give"));
  const auto found = rescan("scan_negative_forecast_time.grib2");
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_EQ(found->entries.at(0).window, "-6 hour fcst");
}

TEST(Rescan, of_no_data_is_not_ready_and_of_other_data_an_error) {
  const auto empty = rescan_noaa(core::BytesReader({}, "empty.grib2"));
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.error().code(), core::ErrorCode::kUnavailable);
  const auto page = golden_bytes("idx_malformed_lines.idx");
  const auto other = rescan_noaa(core::BytesReader(page, "page.html"));
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code(), core::ErrorCode::kCorrupt);
  EXPECT_EQ(other.error().message(), "page.html: no GRIB message");
}

TEST(Rescan, holds_when_it_is_checked_against_the_data) {
  for (const auto* name : {"idx_base.grib2", "idx_multifield.grib2", "scan_mixed_editions.grib2",
                           "scan_sample_test_padding.grib", "scan_percentile_templates.grib2"}) {
    const auto bytes = golden_bytes(name);
    const core::BytesReader reader(bytes, name);
    const auto found = rescan_noaa(reader);
    ASSERT_TRUE(found) << found.error().message();
    const auto verified = verify_claims(message_claims(found->entries), reader,
                                        {.mode = VerifyMode::kAll, .accept_edition_1 = true});
    ASSERT_TRUE(verified);
    EXPECT_TRUE(verified->ok()) << name << ": " << describe(*verified);
  }
}

TEST(Rescan, reads_headers_only) {
  core::Bytes file;
  constexpr std::size_t kMessages = 20;
  // a real message of 97 kB, many times
  const auto message =
      golden_bytes("scan_sample_CMC_glb_TMP_ISBL_1015_ps30km_2013052000_P006.grib2");
  for (std::size_t i = 0; i < kMessages; ++i) {
    file.insert(file.end(), message.begin(), message.end());
  }
  const CountingReader reader(file);
  const auto found = rescan_noaa(reader);
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_EQ(found->entries.size(), kMessages);
  EXPECT_LE(reader.octets, (kMessages + 1) * 2048);
}

TEST(RescanEcmwf, is_what_parsing_its_own_text_gives) {
  for (const auto* name :
       {"idx_base.grib2", "idx_multifield.grib2", "scan_mixed_editions.grib2",
        "scan_sample_rotated_N32_subarea.grib", "scan_sample_O32_global.grib2",
        "scan_sample_chem-cams.grib", "scan_sample_s2s-pdt9-pdt10-pdt12.grib2"}) {
    const auto bytes = golden_bytes(name);
    const auto found = rescan_ecmwf(core::BytesReader(bytes, name));
    ASSERT_TRUE(found) << found.error().message();
    const auto parsed = parse_ecmwf_index(format_ecmwf_index(found->rows), bytes.size());
    ASSERT_TRUE(parsed) << name << ": " << parsed.error().message();
    ASSERT_EQ(parsed->size(), found->rows.size());
    for (std::size_t i = 0; i < parsed->size(); ++i) {
      const auto& ours = found->rows[i];
      const auto& read = (*parsed)[i];
      EXPECT_EQ(std::tie(ours.range, ours.line, ours.param, ours.levtype, ours.type, ours.stream,
                         ours.level, ours.member, ours.step_start_minutes, ours.step_end_minutes,
                         ours.init, ours.keys),
                std::tie(read.range, read.line, read.param, read.levtype, read.type, read.stream,
                         read.level, read.member, read.step_start_minutes, read.step_end_minutes,
                         read.init, read.keys))
          << name << " row " << i;
    }
  }
}

}  // namespace
}  // namespace icefield::grib
