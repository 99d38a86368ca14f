#include "zarr/fill_value.h"

#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace icefield::zarr {
namespace {

struct FillCase {
  std::string name;
  DataType type;
  std::string json;
  std::uint64_t bits;
  std::string written;  // as we write it; empty: as it was read
};

class Fill : public testing::TestWithParam<FillCase> {};

TEST_P(Fill, keeps_every_bit) {
  const auto json = core::Json::parse(GetParam().json);
  ASSERT_TRUE(json) << json.error().message();
  const auto fill = read_fill_value(*json, GetParam().type);
  ASSERT_TRUE(fill) << fill.error().message();
  EXPECT_EQ(fill->bits, GetParam().bits);
  const auto& written = GetParam().written.empty() ? GetParam().json : GetParam().written;
  EXPECT_EQ(write_fill_value(*fill, GetParam().type).dump(), written);
}

// columns: name, type, JSON, bits of the element, JSON as we write it (Zarr v3 core, fill value)
INSTANTIATE_TEST_SUITE_P(
    , Fill,
    testing::Values(
        FillCase{"nan_64", DataType::kFloat64, R"("NaN")", 0x7FF8000000000000, ""},
        FillCase{"nan_32", DataType::kFloat32, R"("NaN")", 0x7FC00000, ""},
        FillCase{"infinity", DataType::kFloat32, R"("Infinity")", 0x7F800000, ""},
        FillCase{"minus_infinity", DataType::kFloat64, R"("-Infinity")", 0xFFF0000000000000, ""},
        FillCase{"payload_32", DataType::kFloat32, R"("0x7fc00001")", 0x7FC00001, ""},
        FillCase{"payload_64", DataType::kFloat64, R"("0xfff8000000000001")", 0xFFF8000000000001,
                 ""},
        FillCase{"hex_of_a_number", DataType::kFloat32, R"("0x3fc00000")", 0x3FC00000, "1.5"},
        FillCase{"minus_zero", DataType::kFloat32, "-0.0", 0x80000000, ""},
        FillCase{"integer_for_float", DataType::kFloat64, "-50", 0xC049000000000000, "-50.0"},
        FillCase{"fraction", DataType::kFloat64, "-273.15", 0xC071126666666666, ""},
        FillCase{"minus_one_16", DataType::kInt16, "-1", 0xFFFF, ""},
        FillCase{"minus_one_64", DataType::kInt64, "-1", 0xFFFFFFFFFFFFFFFF, ""},
        FillCase{"least_8", DataType::kInt8, "-128", 0x80, ""},
        FillCase{"largest_64", DataType::kUint64, "18446744073709551615", 0xFFFFFFFFFFFFFFFF, ""},
        FillCase{"truth", DataType::kBool, "true", 1, ""}),
    [](const auto& tested) { return tested.param.name; });

TEST(FillValues, refuses_what_the_type_cannot_hold) {
  const std::vector<std::pair<DataType, std::string>> wrong = {
      {DataType::kFloat32, "null"},
      {DataType::kFloat32, "1e40"},
      {DataType::kFloat32, R"("nan")"},
      {DataType::kFloat32, R"("0x7fc0")"},
      {DataType::kFloat64, R"("0x7fc00001")"},
      {DataType::kFloat32, R"("0x7fc0000g")"},
      {DataType::kFloat64, "true"},
      {DataType::kInt64, "1.0"},
      {DataType::kInt16, "32768"},
      {DataType::kInt8, "-129"},
      {DataType::kUint8, "-1"},
      {DataType::kInt64, "9223372036854775808"},
      {DataType::kInt64, R"("NaN")"},
      {DataType::kBool, "0"},
  };
  for (const auto& [type, text] : wrong) {
    const auto fill = read_fill_value(*core::Json::parse(text), type);
    ASSERT_FALSE(fill) << text;
    EXPECT_EQ(fill.error().code(), core::ErrorCode::kCorrupt);
    EXPECT_NE(fill.error().message().find("fill_value"), std::string::npos);
  }
}

TEST(FillValues, covers_elements_bit_for_bit) {
  std::array<std::byte, 16> bytes{};
  const FillValue fill{0x7FC00001};
  fill_elements(bytes, fill, DataType::kFloat32);
  EXPECT_TRUE(all_fill(bytes, fill, DataType::kFloat32));
  EXPECT_FALSE(all_fill(bytes, FillValue{0x7FC00000}, DataType::kFloat32));
  bytes[15] = std::byte{0};
  EXPECT_FALSE(all_fill(bytes, fill, DataType::kFloat32));
}

}  // namespace
}  // namespace icefield::zarr
