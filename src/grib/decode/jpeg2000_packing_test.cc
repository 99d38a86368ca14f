#include "grib/decode/jpeg2000_packing.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace icefield::grib {
namespace {

/// The start of a code stream: 2^30 x 16 samples in tiles of 16 x 16, ISO/IEC 15444-1 A.5.1.
std::vector<std::byte> many_tiles() {
  std::vector<std::byte> out(60);
  const auto put = [&out](std::size_t at, unsigned value) {
    out[at] = static_cast<std::byte>(value);
  };
  put(0, 0xFF);
  put(1, 0x4F);
  put(2, 0xFF);
  put(3, 0x51);
  put(5, 41);
  put(8, 0x40);
  put(15, 16);
  put(27, 16);
  put(31, 16);
  put(41, 1);
  put(42, 7);
  put(43, 1);
  put(44, 1);
  return out;
}

TEST(Jpeg2000, of_more_tiles_than_fields_have_is_refused_before_they_are_set_up) {
  const Jpeg2000Packing packing{SimplePacking{.bits_per_value = 8}};
  auto data = many_tiles();
  std::vector<float> out(16);
  for (int container = 0; container < 2; ++container) {
    const auto status = decode_packed(packing, data, std::span(out));
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code(), core::ErrorCode::kCorrupt);
    EXPECT_THAT(status.error().message(), ::testing::HasSubstr("an image of 67108864 tiles"));
    data.insert(data.begin(), 32, std::byte{0});  // behind something else
  }
}

}  // namespace
}  // namespace icefield::grib
