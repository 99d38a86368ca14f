#include <cmath>
#include <cstring>
#include <utility>

#include "zarr/codec/internal/codec.h"

namespace icefield::zarr {
namespace {

/// encoded = (value - offset) * scale; value = encoded / scale + offset.
template <typename Float>
class ScaleOffsetCodec final : public ArrayCodec {
 public:
  ScaleOffsetCodec(ChunkSpec chunk, Float scale, Float offset)
      : chunk_(std::move(chunk)), scale_(scale), offset_(offset) {}

  const ChunkSpec& encoded() const override { return chunk_; }
  core::Result<core::Bytes> encode(std::span<const std::byte> values) const override {
    return each(values, [this](Float value) { return (value - offset_) * scale_; });
  }
  core::Result<core::Bytes> decode(std::span<const std::byte> values) const override {
    return each(values, [this](Float value) { return value / scale_ + offset_; });
  }

 private:
  template <typename Change>
  static core::Bytes each(std::span<const std::byte> values, const Change& change) {
    core::Bytes out(values.size());
    for (std::size_t at = 0; at + sizeof(Float) <= values.size(); at += sizeof(Float)) {
      Float value = 0;
      std::memcpy(&value, &values[at], sizeof(Float));
      value = change(value);
      std::memcpy(&out[at], &value, sizeof(Float));
    }
    return out;
  }

  ChunkSpec chunk_;
  Float scale_;
  Float offset_;
};

core::Result<double> number_member(const core::Json& configuration, std::string_view name,
                                   double fallback) {
  const core::Json* const found = configuration.find(name);
  if (found == nullptr) return fallback;
  if (!found->is_number() || !std::isfinite(found->as_double())) {
    return codec_error(core::ErrorCode::kCorrupt, "scale_offset",
                       std::string(name) + " is not a number");
  }
  return found->as_double();
}

}  // namespace

core::Result<ArrayCodecPtr> make_scale_offset(const core::Json& configuration,
                                              const ChunkSpec& chunk) {
  TRY(only_members(configuration, "scale_offset", {"scale", "offset"}));
  TRY_ASSIGN(const double scale, number_member(configuration, "scale", 1));
  TRY_ASSIGN(const double offset, number_member(configuration, "offset", 0));
  if (scale == 0) return codec_error(core::ErrorCode::kCorrupt, "scale_offset", "scale is 0");
  if (chunk.data_type == DataType::kFloat64) {
    return ArrayCodecPtr(std::make_unique<ScaleOffsetCodec<double>>(chunk, scale, offset));
  }
  if (chunk.data_type == DataType::kFloat32) {
    return ArrayCodecPtr(std::make_unique<ScaleOffsetCodec<float>>(chunk, static_cast<float>(scale),
                                                                   static_cast<float>(offset)));
  }
  return codec_error(core::ErrorCode::kUnsupported, "scale_offset", "only for floats");
}

}  // namespace icefield::zarr
