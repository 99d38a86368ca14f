#include "sample_source/grib_writer.h"

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/file.h"
#include "sample_source/testing/eccodes_decode.h"

namespace icefield::sample_source {
namespace {

core::Bytes golden(const std::string& name) {
  const auto bytes = core::read_file(std::filesystem::path(ICEFIELD_SOURCE_DIR) /
                                     "tests/golden/sample_source" / name);
  EXPECT_TRUE(bytes) << name;
  return bytes ? *bytes : core::Bytes{};
}

/// Hex text of a message, which shows a difference better than a list of bytes.
std::string hex(const core::Bytes& bytes) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  for (const std::byte one : bytes) {
    text += kDigits[std::to_integer<unsigned>(one) >> 4U];
    text += kDigits[std::to_integer<unsigned>(one) & 15U];
  }
  return text;
}

core::Timestamp at(const char* text) {
  return *core::parse_timestamp(text);
}

TEST(GribWriter, writes_a_constant_field_as_the_provider_does_to_the_byte) {
  const auto writer = GribWriter::create();
  ASSERT_TRUE(writer) << writer.error().message();
  const auto message = writer->write_zeros({.discipline = 0,
                                            .category = 1,
                                            .number = 34,
                                            .level = *parse_level("surface"),
                                            .initialized = at("2023-07-22T06:00:00"),
                                            .lead_hour = 1,
                                            .interval = {}});
  ASSERT_TRUE(message) << message.error().message();
  EXPECT_EQ(hex(*message), hex(golden("hrrr_cfrzr_f01.grib2")));
}

TEST(GribWriter, writes_a_constant_accumulation_as_the_provider_does_to_the_byte) {
  const auto writer = GribWriter::create();
  ASSERT_TRUE(writer);
  const auto message = writer->write_zeros({.discipline = 1,
                                            .category = 0,
                                            .number = 6,
                                            .level = *parse_level("surface"),
                                            .initialized = at("2026-03-01"),
                                            .lead_hour = 0,
                                            .interval = Interval{Statistic::kAccumulation, 0, 0}});
  ASSERT_TRUE(message);
  EXPECT_EQ(hex(*message), hex(golden("hrrr_ssrun_f00.grib2")));
}

struct PackingCase {
  std::string name;
  EccodesPacking packing;
  bool holes;
  std::string packing_type;
};

class GribWriterPackings : public testing::TestWithParam<PackingCase> {};

TEST_P(GribWriterPackings, decode_to_what_was_written) {
  const auto writer = GribWriter::create();
  ASSERT_TRUE(writer);
  std::vector<double> values(kHrrrGrid.points());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto x = static_cast<double>((i / 1799 + i % 1799) % 1000);
    values[i] = GetParam().holes && i % 7 == 3 ? kNoValue : -20 + x / 16;
  }
  const auto message = writer->write_values({.category = 2,
                                             .number = 2,
                                             .level = *parse_level("10 m above ground"),
                                             .initialized = at("2025-08-01"),
                                             .lead_hour = 3,
                                             .interval = {}},
                                            values, GetParam().packing);
  ASSERT_TRUE(message) << message.error().message();
  const auto decoded = decode_with_eccodes(*message);
  ASSERT_TRUE(decoded) << decoded.error().message();
  EXPECT_EQ(decoded->packing_type, GetParam().packing_type);
  ASSERT_EQ(decoded->values.size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == kNoValue) {
      ASSERT_TRUE(std::isnan(decoded->values[i])) << i;
    } else {
      ASSERT_EQ(decoded->values[i], values[i]) << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, GribWriterPackings,
                         testing::Values(PackingCase{"simple", {}, false, "grid_simple"},
                                         PackingCase{"simple_with_bitmap", {}, true, "grid_simple"},
                                         PackingCase{"complex",
                                                     {.method = EccodesPacking::Method::kComplex},
                                                     false,
                                                     "grid_complex"}),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace icefield::sample_source
