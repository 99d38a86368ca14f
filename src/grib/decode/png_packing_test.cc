#include "grib/decode/png_packing.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <libdeflate.h>

#include "core/bytes.h"
#include "core/random.h"

namespace icefield::grib {
namespace {

void append_chunk(core::Bytes& file, const char* type, const core::Bytes& data) {
  core::append_big_endian(file, static_cast<std::uint32_t>(data.size()));
  const auto name = core::to_bytes(type);
  file.insert(file.end(), name.begin(), name.end());
  file.insert(file.end(), data.begin(), data.end());
  core::append_big_endian(file, std::uint32_t{0});  // the checksum is not looked at
}

struct Layout {
  std::uint32_t width = 0, height = 0;
  int depth = 8;
  int colour = 0;
  int interlaced = 0;
};

/// A PNG file whose unpacked data are `raw`: a filter octet in front of each row.
core::Bytes png(const Layout& layout, const core::Bytes& raw, std::size_t data_chunks = 1) {
  core::Bytes file;
  for (const int octet : {0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A}) {
    file.push_back(static_cast<std::byte>(octet));
  }
  core::Bytes header;
  core::append_big_endian(header, layout.width);
  core::append_big_endian(header, layout.height);
  for (const int octet : {layout.depth, layout.colour, 0, 0, layout.interlaced}) {
    header.push_back(static_cast<std::byte>(octet));
  }
  append_chunk(file, "IHDR", header);
  core::Bytes packed(raw.size() + 1000);
  auto* codec = libdeflate_alloc_compressor(6);
  packed.resize(
      libdeflate_zlib_compress(codec, raw.data(), raw.size(), packed.data(), packed.size()));
  libdeflate_free_compressor(codec);
  const std::size_t part = packed.size() / data_chunks + 1;
  for (std::size_t at = 0; at < packed.size(); at += part) {
    const auto begin = packed.begin() + static_cast<std::ptrdiff_t>(at);
    append_chunk(file, "IDAT",
                 {begin, begin + static_cast<std::ptrdiff_t>(std::min(part, packed.size() - at))});
  }
  append_chunk(file, "IEND", {});
  return file;
}

int nearest(int left, int above, int corner) {
  const int estimate = left + above - corner;
  const int to_left = std::abs(estimate - left);
  const int to_above = std::abs(estimate - above);
  const int to_corner = std::abs(estimate - corner);
  if (to_left <= to_above && to_left <= to_corner) return left;
  return to_above <= to_corner ? above : corner;
}

/// Rows filtered as the PNG specification says, row i by filters[i].
core::Bytes filtered(const core::Bytes& rows, std::size_t row, std::size_t step,
                     const std::vector<int>& filters) {
  core::Bytes made;
  for (std::size_t i = 0; i < filters.size(); ++i) {
    made.push_back(static_cast<std::byte>(filters[i]));
    const auto at = [&](std::size_t line, std::size_t column) {
      return std::to_integer<int>(rows[line * row + column]);
    };
    for (std::size_t j = 0; j < row; ++j) {
      const int left = j >= step ? at(i, j - step) : 0;
      const int above = i > 0 ? at(i - 1, j) : 0;
      const int corner = i > 0 && j >= step ? at(i - 1, j - step) : 0;
      const int guesses[] = {0, left, above, (left + above) / 2, nearest(left, above, corner)};
      made.push_back(static_cast<std::byte>(at(i, j) - guesses[filters[i]]));
    }
  }
  return made;
}

struct PixelCase {
  std::string name;
  int depth;
  int colour;
  unsigned bits;  // per pixel
};

class PngPixels : public ::testing::TestWithParam<PixelCase> {};

TEST_P(PngPixels, come_back_through_every_filter) {
  const auto& tested = GetParam();
  constexpr std::uint32_t kWide = 37;
  const std::vector<int> filters = {4, 0, 1, 2, 3, 4, 4, 4, 4, 4, 1, 4, 4, 3, 4};
  const std::size_t row = (kWide * tested.bits + 7) / 8;
  std::uint64_t state = tested.bits;
  core::Bytes rows(row * filters.size());
  for (auto& octet : rows) octet = static_cast<std::byte>(core::splitmix64(state) % 40);
  const Layout layout{.width = kWide,
                      .height = static_cast<std::uint32_t>(filters.size()),
                      .depth = tested.depth,
                      .colour = tested.colour};
  const auto raw = filtered(rows, row, std::max(1U, tested.bits / 8), filters);
  for (const std::size_t chunks : {1U, 3U}) {
    const auto file = png(layout, raw, chunks);
    std::vector<double> out(kWide * filters.size());
    const PngPacking packing{.simple = {.bits_per_value = tested.bits}};
    const auto status = decode_packed(packing, file, std::span(out));
    ASSERT_TRUE(status) << status.error().message();
    for (std::size_t i = 0; i < out.size(); ++i) {
      std::uint64_t expected = 0;
      const std::size_t first = i / kWide * row * 8 + i % kWide * tested.bits;
      for (std::size_t bit = first; bit < first + tested.bits; ++bit) {
        expected =
            expected << 1U | (std::to_integer<unsigned>(rows[bit / 8]) >> (7 - bit % 8) & 1U);
      }
      ASSERT_EQ(out[i], static_cast<double>(expected)) << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    , PngPixels,
    ::testing::Values(PixelCase{"grey_1", 1, 0, 1}, PixelCase{"grey_2", 2, 0, 2},
                      PixelCase{"grey_4", 4, 0, 4}, PixelCase{"grey_8", 8, 0, 8},
                      PixelCase{"grey_16", 16, 0, 16}, PixelCase{"colours", 8, 2, 24},
                      PixelCase{"colours_and_alpha", 8, 6, 32}),
    [](const auto& tested) { return tested.param.name; });

core::ErrorCode code_of(const core::Bytes& file, std::size_t n_values) {
  std::vector<float> out(n_values);
  return decode_packed(PngPacking{.simple = {.bits_per_value = 8}}, file, std::span(out))
      .error()
      .code();
}

TEST(PngErrors, images_of_other_kinds_are_refused) {
  const core::Bytes raw(6);
  EXPECT_EQ(code_of(png({.width = 2, .height = 2, .interlaced = 1}, raw), 4),
            core::ErrorCode::kUnsupported);
  EXPECT_EQ(code_of(png({.width = 2, .height = 2, .colour = 3}, raw), 4),
            core::ErrorCode::kUnsupported);
  EXPECT_EQ(code_of(png({.width = 2, .height = 2, .depth = 16, .colour = 2}, raw), 4),
            core::ErrorCode::kUnsupported);
}

TEST(PngErrors, images_that_do_not_fit_are_corrupt) {
  const core::Bytes raw(6);
  EXPECT_EQ(code_of(png({.width = 2, .height = 2}, raw), 5), core::ErrorCode::kCorrupt);
  EXPECT_EQ(code_of(png({.width = 3, .height = 2}, raw), 6), core::ErrorCode::kCorrupt);
  EXPECT_EQ(code_of(png({.width = 0, .height = 2}, raw), 0), core::ErrorCode::kCorrupt);
  EXPECT_EQ(code_of(png({.width = 2, .height = 2}, core::Bytes(6, std::byte{9})), 4),
            core::ErrorCode::kCorrupt);
  EXPECT_EQ(code_of({}, 4), core::ErrorCode::kCorrupt);
}

TEST(PngErrors, a_small_file_cannot_ask_for_a_large_image) {
  const auto file = png({.width = 1U << 14U, .height = 1U << 10U}, core::Bytes(6));
  EXPECT_EQ(code_of(file, std::size_t{1} << 24U), core::ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace icefield::grib
