#include "object_store/internal/checksum.h"

#include <gtest/gtest.h>

#include "core/bytes.h"

namespace icefield::object_store {
namespace {

struct ChecksumCase {
  std::string name;
  std::string bytes;
  std::uint32_t crc32, crc32c;
  std::uint64_t crc64;
};

// 0 to 255 four times and "abc": longer than a step, with a rest
std::string long_pattern() {
  std::string bytes;
  for (int i = 0; i < 1024; ++i) bytes += static_cast<char>(i % 256);
  return bytes + "abc";
}

class Checksums : public testing::TestWithParam<ChecksumCase> {};

TEST_P(Checksums, are_those_of_other_implementations) {
  const auto bytes = core::as_bytes(GetParam().bytes);
  EXPECT_EQ(crc32(bytes), GetParam().crc32);
  EXPECT_EQ(crc32c(bytes), GetParam().crc32c);
  EXPECT_EQ(crc64_nvme(bytes), GetParam().crc64);
}

// "check": the catalogue of parametrised CRC algorithms. "long": Python's binascii 3.11,
// google-crc32c 1.9.0 and crcmod 1.7.
INSTANTIATE_TEST_SUITE_P(, Checksums,
                         testing::Values(ChecksumCase{"nothing", "", 0, 0, 0},
                                         ChecksumCase{"check", "123456789", 0xCBF43926U,
                                                      0xE3069283U, 0xAE8B14860A799888U},
                                         ChecksumCase{"long", long_pattern(), 0xC2FAA2A6U,
                                                      0x084A7877U, 0xC21FC0C948972C20U}),
                         [](const auto& tested) { return tested.param.name; });

TEST(Crc32c, equals_the_examples_of_rfc_3720) {
  EXPECT_EQ(crc32c(core::Bytes(32, std::byte{0})), 0x8A9136AAU);
  EXPECT_EQ(crc32c(core::Bytes(32, std::byte{0xFF})), 0x62A8AB43U);
}

TEST(ChecksumText, has_the_most_significant_byte_first) {
  EXPECT_EQ(base64_of(crc32c(core::as_bytes("object"))), "TCnd0A==");
  EXPECT_EQ(base64_of(crc64_nvme(core::as_bytes("object"))), "kHHftj1pSiM=");
}

}  // namespace
}  // namespace icefield::object_store
