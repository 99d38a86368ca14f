#include <algorithm>
#include <bit>

#include <zstd.h>

#include "zarr/codec/internal/codec.h"

namespace icefield::zarr {
namespace {

core::Error zstd_error(std::string_view message) {
  return codec_error(core::ErrorCode::kCorrupt, "zstd", message);
}

struct FreeDecoder {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};
struct FreeEncoder {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};

/// Frames that do not say how long they are: grows the output step by step up to `limit`.
core::Result<core::Bytes> decode_stream(std::span<const std::byte> encoded, std::size_t limit) {
  const std::unique_ptr<ZSTD_DCtx, FreeDecoder> context(ZSTD_createDCtx());
  // a frame may ask for a window larger than what it may decode to: refuse instead of allocating
  const int window = std::clamp(static_cast<int>(std::bit_width(limit)) + 1, 10, 27);
  if (ZSTD_isError(ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, window)) != 0U) {
    return zstd_error("cannot set the window");
  }
  core::Bytes out(std::min<std::size_t>(limit, std::max<std::size_t>(encoded.size(), 4096)));
  ZSTD_inBuffer input{encoded.data(), encoded.size(), 0};
  std::size_t filled = 0;
  std::size_t left = 1;
  while (left != 0 || input.pos < input.size) {
    if (filled == out.size()) out.resize(std::min(limit, 2 * out.size() + 1));
    std::byte overflow{};  // where one byte too many would go
    const bool full = filled == limit;
    ZSTD_outBuffer output{full ? &overflow : out.data(), full ? 1 : out.size(), full ? 0 : filled};
    const std::size_t before = input.pos;
    left = ZSTD_decompressStream(context.get(), &output, &input);
    if (ZSTD_isError(left) != 0U) return zstd_error(ZSTD_getErrorName(left));
    if (full && output.pos != 0) return zstd_error("longer than its chunk");
    const std::size_t now = full ? filled : output.pos;
    if (left != 0 && now == filled && input.pos == before) return zstd_error("ends too early");
    filled = now;
  }
  out.resize(filled);
  return out;
}

class ZstdCodec final : public BytesCodec {
 public:
  ZstdCodec(int level, bool checksum) : level_(level), checksum_(checksum) {}

  core::Result<core::Bytes> encode(std::span<const std::byte> bytes) const override {
    const std::unique_ptr<ZSTD_CCtx, FreeEncoder> context(ZSTD_createCCtx());
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, level_);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, checksum_ ? 1 : 0);
    core::Bytes out(ZSTD_compressBound(bytes.size()));
    const std::size_t size =
        ZSTD_compress2(context.get(), out.data(), out.size(), bytes.data(), bytes.size());
    if (ZSTD_isError(size) != 0U) return zstd_error(ZSTD_getErrorName(size));
    out.resize(size);
    return out;
  }

  core::Result<core::Bytes> decode(std::span<const std::byte> encoded,
                                   std::size_t limit) const override {
    const auto size = ZSTD_getFrameContentSize(encoded.data(), encoded.size());
    if (size == ZSTD_CONTENTSIZE_ERROR) return zstd_error("no zstd frame");
    const std::size_t frame = ZSTD_findFrameCompressedSize(encoded.data(), encoded.size());
    if (size == ZSTD_CONTENTSIZE_UNKNOWN || frame != encoded.size()) {
      return decode_stream(encoded, limit);
    }
    if (size > limit) return zstd_error("longer than its chunk");
    core::Bytes out(size);
    const std::size_t done =
        ZSTD_decompress(out.data(), out.size(), encoded.data(), encoded.size());
    if (ZSTD_isError(done) != 0U) return zstd_error(ZSTD_getErrorName(done));
    if (done != size) return zstd_error("shorter than it says");
    return out;
  }

  std::optional<std::size_t> encoded_size(std::size_t /*size*/) const override {
    return std::nullopt;
  }

 private:
  int level_;
  bool checksum_;
};

}  // namespace

core::Result<BytesCodecPtr> make_zstd(const core::Json& configuration) {
  TRY(only_members(configuration, "zstd", {"level", "checksum"}));
  TRY_ASSIGN(const int level,
             integer_member(configuration, "level", 0, {ZSTD_minCLevel(), ZSTD_maxCLevel()}));
  const core::Json* const checksum = configuration.find("checksum");
  if (checksum != nullptr && !checksum->is_bool()) return zstd_error("checksum is not a boolean");
  return BytesCodecPtr(
      std::make_unique<ZstdCodec>(level, checksum != nullptr && checksum->as_bool()));
}

}  // namespace icefield::zarr
