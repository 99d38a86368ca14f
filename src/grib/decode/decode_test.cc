#include "grib/decode/decode.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <numbers>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/file.h"
#include "grib/decode/internal/test_message.h"
#include "grib/decode/internal/unpack.h"

namespace icefield::grib {
namespace {

namespace fs = std::filesystem;

fs::path golden() {
  return fs::path(ICEFIELD_SOURCE_DIR) / "tests/golden/grib";
}

std::vector<double> read_values(const fs::path& path) {
  const auto bytes = core::read_file(path);
  if (!bytes) return {};
  std::vector<double> values(bytes->size() / sizeof(double));
  std::memcpy(values.data(), bytes->data(), values.size() * sizeof(double));
  return values;
}

template <typename T>
std::vector<T> decode_file(const fs::path& path) {
  const auto bytes = core::read_file(path);
  EXPECT_TRUE(bytes) << path;
  if (!bytes) return {};
  const auto message = testing::split_message(*bytes);
  EXPECT_TRUE(message) << path;
  if (!message) return {};
  std::vector<T> out(message->n_points);
  const auto status = testing::decode_message<T>(*message, out);
  EXPECT_TRUE(status) << status.error().message();
  return out;
}

/// Where the two differ; equal bits or two NaN are the same.
template <typename T>
std::vector<std::size_t> differences(const std::vector<T>& one, const std::vector<double>& other) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < std::max(one.size(), other.size()); ++i) {
    if (i >= one.size() || i >= other.size()) return {i};
    const auto expected = static_cast<T>(other[i]);
    if (one[i] != expected && !(std::isnan(one[i]) && std::isnan(expected))) found.push_back(i);
  }
  return found;
}

std::vector<fs::path> golden_messages() {
  std::vector<fs::path> found;
  for (const auto& folder : fs::directory_iterator(golden())) {
    if (!folder.is_directory() || !folder.path().filename().string().starts_with("decode_"))
      continue;
    for (const auto& file : fs::directory_iterator(folder)) {
      if (file.path().extension() == ".grib") found.push_back(file.path());
    }
  }
  std::ranges::sort(found);
  return found;
}

class EcCodesValues : public ::testing::TestWithParam<fs::path> {
 protected:
  void TearDown() override { allow_vectors(true); }
};

TEST_P(EcCodesValues, are_equal_to_the_bit_in_both_widths) {
  auto expected = read_values(fs::path(GetParam()).replace_extension(".f64"));
  ASSERT_FALSE(expected.empty());
  const bool logarithm = GetParam().parent_path().filename() == "decode_log";
  for (const bool vectors : {true, false}) {
    allow_vectors(vectors);
    const auto doubles = decode_file<double>(GetParam());
    if (logarithm) {  // exp() is the library's: within its last place
      ASSERT_EQ(doubles.size(), expected.size());
      for (std::size_t i = 0; i < doubles.size(); ++i) EXPECT_DOUBLE_EQ(doubles[i], expected[i]);
      expected = doubles;
    }
    EXPECT_THAT(differences(doubles, expected), ::testing::IsEmpty()) << "vectors: " << vectors;
    EXPECT_THAT(differences(decode_file<float>(GetParam()), expected), ::testing::IsEmpty())
        << "float, vectors: " << vectors;
  }
}

INSTANTIATE_TEST_SUITE_P(, EcCodesValues, ::testing::ValuesIn(golden_messages()),
                         [](const auto& tested) {
                           return tested.param.parent_path().filename().string() + "_" +
                                  tested.param.stem().string();
                         });

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct HardCase {
  std::string name;
  std::string file;
  std::vector<double> expected;
  double tolerance = 0;  // relative
};

class Dec : public ::testing::TestWithParam<HardCase> {};

TEST_P(Dec, gives_the_expected_values) {
  const auto& tested = GetParam();
  const auto values = decode_file<double>(golden() / tested.file);
  ASSERT_EQ(values.size(), tested.expected.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(tested.expected[i])) {
      EXPECT_TRUE(std::isnan(values[i])) << i;
    } else {
      EXPECT_NEAR(values[i], tested.expected[i], std::abs(tested.expected[i]) * tested.tolerance)
          << i;
    }
  }
}

// columns: name, file, values, relative tolerance
INSTANTIATE_TEST_SUITE_P(
    , Dec,
    ::testing::Values(
        HardCase{"1_9999_is_a_number_without_bitmap",
                 "scan_value_9999_no_bitmap.grib2",
                 {9996, 9997, 9998, 9999, 10000, 10001, 10002, 10003, 10004, 10005, 10006, 10007}},
        HardCase{"1_9999_is_a_number_beside_masked_points",
                 "scan_value_9999_with_bitmap.grib2",
                 {9996, 9997, 9998, 9999, 10000, kNan, kNan, 10003, 10004, 10005, kNan, 10007}},
        HardCase{
            "2_constant_field", "scan_constant_field.grib2", {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
        HardCase{"3_primary_missing_values_and_a_missing_group",
                 "scan_complex_primary_missing.grib2",
                 {10, 11, 12, kNan, 13, 14, kNan, kNan, kNan, 7, 7, 7}},
        HardCase{"3_zero_width_group",
                 "scan_complex_zero_width_group.grib2",
                 {0.05, 0.15, 0.25, 0.35, 0.65, 0.65, 0.65, 0.65, 1.35, -0.15, 0.55, 0.65},
                 1e-14},
        HardCase{"4_simple_24_bits",
                 "scan_simple_24_bits.grib2",
                 {200.0, 205.33333206176758, 210.66666412353516, 215.99999618530273,
                  221.3333282470703, 226.6666603088379, 231.99999237060547, 237.33332443237305,
                  242.66665649414062, 247.9999885559082, 253.33332061767578, 258.66665267944336},
                 1e-6}),
    [](const auto& tested) { return tested.param.name; });

TEST(Dec4Ccsds, of_12_and_24_bits_is_within_its_step) {
  const std::vector<std::pair<const char*, double>> files = {{"scan_ccsds_12_bits.grib2", 0.02},
                                                             {"scan_ccsds_24_bits.grib2", 1e-5}};
  for (const auto& [file, step] : files) {
    const auto values = decode_file<double>(golden() / file);
    ASSERT_EQ(values.size(), 9U * 16U) << file;
    for (int row = 0; row < 9; ++row) {
      for (int column = 0; column < 16; ++column) {
        const double expected =
            273.15 + 20 * std::sin(column / 3.0) + 7 * std::cos(row) + 0.001 * column * row;
        EXPECT_NEAR(values[static_cast<std::size_t>(row * 16 + column)], expected, step);
      }
    }
  }
}

TEST(Decode, refuses_counts_that_do_not_fit_the_grid) {
  const std::vector<std::byte> data(3);
  Representation representation{.n_packed = 3, .packing = SimplePacking{.bits_per_value = 8}};
  std::vector<float> out(4);
  EXPECT_EQ(decode(representation, {.data = data, .bitmap = {}}, std::span(out)).error().code(),
            core::ErrorCode::kCorrupt);
  representation.n_packed = 5;
  const std::vector<std::byte> bitmap{std::byte{0xF0}};
  EXPECT_EQ(decode(representation, {.data = data, .bitmap = bitmap}, std::span(out)).error().code(),
            core::ErrorCode::kCorrupt);
}

TEST(Decode, cut_sections_are_errors_and_never_crash) {
  for (const auto& path : golden_messages()) {
    const auto bytes = core::read_file(path);
    ASSERT_TRUE(bytes);
    auto message = testing::split_message(*bytes);
    ASSERT_TRUE(message);
    std::vector<float> out(message->n_points);
    const auto whole = message->data;
    for (const std::size_t size :
         {whole.size() / 2, whole.size() / 7, std::size_t{3}, std::size_t{0}}) {
      const std::vector<std::byte> cut(
          whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(std::min(size, whole.size())));
      message->data = cut;
      const auto status = testing::decode_message<float>(*message, out);
      EXPECT_TRUE(whole.size() <= 60 || !status) << path << " cut to " << size;
    }
  }
}

}  // namespace
}  // namespace icefield::grib
