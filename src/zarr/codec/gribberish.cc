#include "zarr/codec/internal/codec.h"

namespace icefield::zarr {
namespace {

/// Stands for a chunk that is one GRIB message. The room knows its metadata and nothing of GRIB.
class GribberishSerializer final : public SerializerCodec {
 public:
  core::Result<core::Bytes> encode(std::span<const std::byte> /*values*/) const override {
    return codec_error(core::ErrorCode::kUnsupported, "gribberish", "is decode-only");
  }
  core::Result<core::Bytes> decode(std::span<const std::byte> /*encoded*/) const override {
    return codec_error(core::ErrorCode::kUnsupported, "gribberish",
                       "the message must be decoded by the reader of GRIB");
  }
  std::optional<std::size_t> encoded_size() const override { return std::nullopt; }
};

}  // namespace

core::Result<SerializerCodecPtr> make_gribberish(const core::Json& configuration,
                                                 const ChunkSpec& /*chunk*/) {
  const core::Json* const element = configuration.find("var");
  if (element == nullptr || !element->is_string()) {
    return codec_error(core::ErrorCode::kCorrupt, "gribberish", "no var");
  }
  return SerializerCodecPtr(std::make_unique<GribberishSerializer>());
}

}  // namespace icefield::zarr
