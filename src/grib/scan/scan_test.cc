#include "grib/scan/scan.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/text.h"
#include "grib/testing/golden.h"

namespace icefield::grib {
namespace {

using ::testing::ElementsAre;
using testing::golden_bytes;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Scan scan_of(const std::string& text) {
  auto found = scan(core::BytesReader(core::as_bytes(text), "text"));
  EXPECT_TRUE(found);
  return found ? *std::move(found) : Scan{};
}

/// The first message of the base file: edition 2, 203 octets.
std::string message() {
  const auto bytes = golden_bytes("idx_base.grib2");
  return std::string(core::as_text(bytes).substr(0, 203));
}

std::vector<std::uint64_t> offsets(const Scan& found) {
  std::vector<std::uint64_t> out;
  for (const auto& field : found.fields) out.push_back(field.range.offset);
  return out;
}

TEST(Scan, skips_what_stands_between_messages) {
  const std::string junk(70000, 'x');
  const auto found =
      scan_of("header GRIB but no message" + message() + junk + message() + "GRI" + message());
  EXPECT_THAT(offsets(found), ElementsAre(26, 26 + 203 + 70000, 26 + 203 + 70000 + 203 + 3));
  EXPECT_THAT(found.reported, IsEmpty());
  EXPECT_EQ(found.grids.size(), 1U);
}

TEST(Scan, of_nothing_finds_nothing) {
  for (const std::string text : {"", "G", "GRIB", "GRIB\0\0\0", "no message here"}) {
    const auto found = scan_of(text);
    EXPECT_EQ(found.messages, 0U);
    EXPECT_THAT(found.fields, IsEmpty());
  }
}

TEST(Scan, goes_on_behind_a_message_that_has_no_end) {
  auto broken = message();
  broken[200] = 'x';
  const auto found = scan_of(broken + message());
  EXPECT_THAT(offsets(found), ElementsAre(203));
  ASSERT_EQ(found.reported.size(), 1U);
  EXPECT_EQ(found.reported[0].offset, 0U);
  EXPECT_THAT(found.reported[0].reason, HasSubstr("no 7777"));
}

TEST(Scan, reports_the_last_message_wherever_it_is_cut) {
  const auto whole = message();
  for (std::size_t size = 4; size < whole.size(); ++size) {
    const auto found = scan_of(whole + whole.substr(0, size));
    EXPECT_THAT(offsets(found), ElementsAre(0)) << size;
    ASSERT_EQ(found.reported.size(), 1U) << size;
    EXPECT_EQ(found.reported[0].offset, 203U);
    EXPECT_THAT(found.reported[0].reason, ::testing::StartsWith("data ends inside the message"));
  }
}

TEST(Scan, reports_messages_of_other_editions) {
  for (const char edition : {'\0', '\x03', '\x08'}) {
    auto other = message();
    other[7] = edition;
    const auto found = scan_of(message() + other + message());
    EXPECT_THAT(offsets(found), ElementsAre(0, 406));
    ASSERT_EQ(found.reported.size(), 1U);
    EXPECT_EQ(found.reported[0].offset, 203U);
    EXPECT_THAT(found.reported[0].reason, ::testing::StartsWith("GRIB edition "));
  }
}

TEST(Scan, goes_on_behind_a_cut_message) {
  const auto found = scan_of(message().substr(0, 100) + message());
  EXPECT_THAT(offsets(found), ElementsAre(100));
  EXPECT_EQ(found.messages, 1U);
  ASSERT_EQ(found.reported.size(), 1U);
  EXPECT_EQ(found.reported[0].length, 203U);
}

TEST(Scan, reports_sections_that_do_not_fit) {
  auto broken = message();
  broken[17] = '\x01';  // length of section 1: 65557
  const auto found = scan_of(broken + message());
  EXPECT_EQ(found.messages, 2U);
  EXPECT_THAT(offsets(found), ElementsAre(203));
  ASSERT_EQ(found.reported.size(), 1U);
  EXPECT_EQ(found.reported[0].section, 1);
  EXPECT_THAT(found.reported[0].reason, HasSubstr("section length 65557"));
}

TEST(Scan, holds_what_the_sections_say) {
  const auto found = scan_of(message());
  ASSERT_EQ(found.fields.size(), 1U);
  const auto& field = found.fields[0];
  EXPECT_EQ(field.identification.centre, 7);
  EXPECT_EQ(field.discipline, 0);
  EXPECT_EQ(field.product.category, 0);
  EXPECT_EQ(field.product.forecast_time.count, 6);
  EXPECT_EQ(field.product.first_surface.type, 103);
  EXPECT_EQ(field.product.first_surface.value(), 2);
  EXPECT_EQ(field.n_packed, 12U);
  EXPECT_EQ(field.bitmap_indicator, 255);
  EXPECT_EQ(field.data.end(), 203U - 4);
  const auto& grid = found.grids[field.grid];
  EXPECT_EQ(grid.ni, 4U);
  EXPECT_EQ(grid.nj, 3U);
  EXPECT_TRUE(grid.rectangular());
}

/// Zeros with pieces in them, and a count of the reads.
class SparseReader final : public core::RangeReader {
 public:
  SparseReader(std::uint64_t size, std::map<std::uint64_t, std::string> pieces)
      : size_(size), pieces_(std::move(pieces)) {}
  std::uint64_t size() const override { return size_; }
  const std::string& name() const override { return name_; }
  core::Status read_exactly(std::uint64_t offset, std::span<std::byte> out) const override {
    ++reads;
    std::ranges::fill(out, std::byte{0});
    for (const auto& [at, text] : pieces_) {
      for (std::size_t i = 0; i < text.size(); ++i) {
        if (at + i >= offset && at + i < offset + out.size()) {
          out[at + i - offset] = static_cast<std::byte>(text[i]);
        }
      }
    }
    return {};
  }
  mutable int reads = 0;

 private:
  std::uint64_t size_;
  std::map<std::uint64_t, std::string> pieces_;
  std::string name_ = "sparse";
};

/// A message of more than 4 GiB cannot have one section of that size (lengths have 32 bits), but
/// two fields of 3 GiB each can share one.
TEST(Scan, keeps_64_bits_and_reads_only_headers) {
  constexpr std::uint64_t kSection7 = 0xC0000000;
  constexpr std::size_t kSection4 = 109;
  constexpr std::size_t kOldSection7 = 170;
  const auto plain = message();
  const auto repeat = plain.substr(kSection4, kOldSection7 - kSection4);  // sections 4, 5, 6
  const auto big = [](std::uint64_t value, int octets) {
    std::string out;
    for (int i = octets - 1; i >= 0; --i) {
      out += static_cast<char>((value >> (8 * static_cast<unsigned>(i))) & 0xFFU);
    }
    return out;
  };
  const std::string section7 = big(kSection7, 4) + '\x07';
  auto head = plain.substr(0, kOldSection7);
  const auto second = head.size() + kSection7;
  const auto length = second + repeat.size() + kSection7 + 4;
  head.replace(8, 8, big(length, 8));
  const SparseReader reader(
      length + plain.size(),
      {{0, head + section7}, {second, repeat + section7}, {length - 4, "7777" + plain}});
  const auto found = scan(reader);
  ASSERT_TRUE(found);
  for (const auto& reported : found->reported) ADD_FAILURE() << reported.reason;
  ASSERT_EQ(found->fields.size(), 3U);
  EXPECT_EQ(found->fields[1].submessage, 1U);
  EXPECT_EQ(found->fields[1].data, (core::ByteRange{second + repeat.size(), kSection7}));
  EXPECT_EQ(found->fields[2].range, (core::ByteRange{length, 203}));
  EXPECT_LE(reader.reads, 4);
}

/// Section 2 of 21 octets that holds a false start of its own.
std::string false_start(std::uint64_t length) {
  std::string out("\0\0\0\x15\x02GRIB\0\0\0\x02", 13);
  for (int i = 7; i >= 0; --i) {
    out += static_cast<char>((length >> (8 * static_cast<unsigned>(i))) & 0xFFU);
  }
  return out;
}

TEST(Scan, walks_false_starts_within_one_another_once) {
  // every start claims all sections behind it: walked each, these were 50,000^2 / 2 steps
  constexpr std::size_t kStarts = 50'000;
  std::string text;
  text.reserve(kStarts * 21 + 100);
  for (std::size_t i = 0; i < kStarts; ++i) text += false_start((kStarts - i) * 21 - 5);
  text += std::string(64, ' ');
  const auto found = scan_of(text + message());
  EXPECT_EQ(found.messages, 1U);
  ASSERT_EQ(found.reported.size(), 10'000U);
  EXPECT_THAT(found.reported.back().reason, HasSubstr("40000 more places like this behind it"));
}

TEST(Scan, gives_each_field_sections_of_its_own) {
  constexpr std::size_t kOldSection7 = 170;
  auto text = message();
  const auto section7 = text.substr(kOldSection7, text.size() - 4 - kOldSection7);
  text.insert(text.size() - 4, section7);  // a second section 7 with nothing before it
  text[15] = static_cast<char>(text.size());
  const auto found = scan_of(text + message());
  EXPECT_THAT(offsets(found), ElementsAre(0, text.size()));
  ASSERT_EQ(found.reported.size(), 1U);
  EXPECT_EQ(found.reported[0].section, 7);
}

TEST(Scan, reads_what_the_air_is_made_of) {
  const auto bytes = golden_bytes("scan_sample_optical-cams.grib");
  const auto found = scan(core::BytesReader(bytes, "optical"));
  ASSERT_TRUE(found);
  ASSERT_EQ(found->fields.size(), 4U);
  // as ecCodes reads them: aerosolType, typeOfWavelengthInterval, 550 and 800 nm
  const auto& first = found->fields[0].product.constituent;
  ASSERT_TRUE(first && first->wavelength && first->size);
  EXPECT_EQ(first->type, 62000);
  EXPECT_EQ(first->wavelength->type, 11);
  EXPECT_EQ(first->wavelength->first_factor, 9);
  EXPECT_EQ(first->wavelength->first_value, 550U);
  EXPECT_EQ(found->fields[3].product.constituent->type, 65508);
  EXPECT_EQ(found->fields[3].product.constituent->wavelength->first_value, 800U);
}

TEST(Scan, passes_on_what_the_source_says) {
  class Broken final : public core::RangeReader {
   public:
    std::uint64_t size() const override { return 100; }
    const std::string& name() const override { return name_; }
    core::Status read_exactly(std::uint64_t, std::span<std::byte>) const override {
      return core::Error(core::ErrorCode::kUnavailable, "HTTP 503");
    }

   private:
    std::string name_ = "broken";
  };
  const auto found = scan(Broken());
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code(), core::ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace icefield::grib
