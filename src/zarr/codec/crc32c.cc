#include "zarr/codec/crc32c.h"

#include <array>

#include "core/bytes.h"
#include "zarr/codec/internal/codec.h"

namespace icefield::zarr {
namespace {

constexpr std::size_t kStride = 8;
using Tables = std::array<std::array<std::uint32_t, 256>, kStride>;

/// Table k advances the checksum by a byte followed by k zero bytes.
constexpr Tables make_tables() {
  Tables tables{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0x82F63B78U : 0U);
    tables[0][i] = crc;
  }
  for (std::size_t k = 1; k < kStride; ++k) {
    for (std::size_t i = 0; i < 256; ++i) {
      const std::uint32_t before = tables[k - 1][i];
      tables[k][i] = (before >> 8U) ^ tables[0][before & 0xFFU];
    }
  }
  return tables;
}

constexpr Tables kTables = make_tables();
constexpr std::size_t kSize = 4;

class Crc32cCodec final : public BytesCodec {
 public:
  core::Result<core::Bytes> encode(std::span<const std::byte> bytes) const override {
    core::Bytes out;
    out.reserve(bytes.size() + kSize);
    out.assign(bytes.begin(), bytes.end());
    core::append_little_endian(out, crc32c(bytes));
    return out;
  }
  core::Result<core::Bytes> decode(std::span<const std::byte> encoded,
                                   std::size_t limit) const override {
    if (encoded.size() < kSize || encoded.size() - kSize > limit) {
      return codec_error(core::ErrorCode::kCorrupt, "crc32c", "wrong length");
    }
    const auto content = encoded.first(encoded.size() - kSize);
    if (core::load_little_endian<std::uint32_t>(encoded, content.size()) != crc32c(content)) {
      return codec_error(core::ErrorCode::kCorrupt, "crc32c", "the checksum does not match");
    }
    return core::Bytes(content.begin(), content.end());
  }
  std::optional<std::size_t> encoded_size(std::size_t size) const override { return size + kSize; }
};

}  // namespace

std::uint32_t crc32c(std::span<const std::byte> bytes) {
  std::uint32_t crc = 0xFFFFFFFFU;
  std::size_t at = 0;
  for (; at + kStride <= bytes.size(); at += kStride) {
    const std::uint64_t word = core::load_little_endian<std::uint64_t>(bytes, at) ^ crc;
    crc = 0;
    for (std::size_t i = 0; i < kStride; ++i) {
      crc ^= kTables[kStride - 1 - i][(word >> (8 * i)) & 0xFFU];
    }
  }
  for (; at < bytes.size(); ++at) {
    crc = (crc >> 8U) ^ kTables[0][(crc ^ std::to_integer<std::uint32_t>(bytes[at])) & 0xFFU];
  }
  return crc ^ 0xFFFFFFFFU;
}

core::Result<BytesCodecPtr> make_crc32c(const core::Json& configuration) {
  TRY(only_members(configuration, "crc32c", {}));
  return BytesCodecPtr(std::make_unique<Crc32cCodec>());
}

}  // namespace icefield::zarr
