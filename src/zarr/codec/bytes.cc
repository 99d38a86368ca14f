#include <algorithm>
#include <utility>

#include "zarr/codec/internal/codec.h"

namespace icefield::zarr {
namespace {

/// Elements one after the other, each in the given byte order.
class BytesSerializer final : public SerializerCodec {
 public:
  BytesSerializer(std::size_t chunk_bytes, std::size_t element, bool swapped)
      : chunk_bytes_(chunk_bytes), element_(element), swapped_(swapped) {}

  core::Result<core::Bytes> encode(std::span<const std::byte> values) const override {
    return turned(values);
  }
  core::Result<core::Bytes> decode(std::span<const std::byte> encoded) const override {
    if (encoded.size() != chunk_bytes_) {
      return codec_error(core::ErrorCode::kCorrupt, "bytes", "chunk is not as long as its shape");
    }
    return turned(encoded);
  }
  std::optional<std::size_t> encoded_size() const override { return chunk_bytes_; }

 private:
  core::Bytes turned(std::span<const std::byte> bytes) const {
    core::Bytes out(bytes.begin(), bytes.end());
    if (!swapped_) return out;
    for (std::size_t at = 0; at + element_ <= out.size(); at += element_) {
      const auto first = out.begin() + static_cast<std::ptrdiff_t>(at);
      std::reverse(first, first + static_cast<std::ptrdiff_t>(element_));
    }
    return out;
  }

  std::size_t chunk_bytes_;
  std::size_t element_;
  bool swapped_;
};

}  // namespace

core::Result<SerializerCodecPtr> make_bytes(const core::Json& configuration,
                                            const ChunkSpec& chunk) {
  TRY(only_members(configuration, "bytes", {"endian"}));
  const std::size_t element = size_of(chunk.data_type);
  bool big = false;
  if (const core::Json* const endian = configuration.find("endian")) {
    big = *endian == core::Json("big");
    if (!big && *endian != core::Json("little")) {
      return codec_error(core::ErrorCode::kCorrupt, "bytes", "endian is neither little nor big");
    }
  } else if (element > 1) {
    return codec_error(core::ErrorCode::kCorrupt, "bytes", "no endian");
  }
  return SerializerCodecPtr(
      std::make_unique<BytesSerializer>(bytes_of(chunk), element, big && element > 1));
}

}  // namespace icefield::zarr
