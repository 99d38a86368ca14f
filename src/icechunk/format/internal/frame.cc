#include "icechunk/format/internal/frame.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include <zstd.h>

#include "core/text.h"

namespace icefield::icechunk::internal {
namespace {

// A block of at least 4 bytes gives at most 128 KiB: a frame cannot hold more than that.
constexpr std::uint64_t kMostPerFrameByte = std::uint64_t{128} * 1024 / 4;
constexpr std::size_t kGrowthStep = std::size_t{1} << 18U;

core::Error corrupt(std::string message) {
  return core::Error(core::ErrorCode::kCorrupt, std::move(message));
}

struct CompressorDeleter {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};
using Compressor = std::unique_ptr<ZSTD_CCtx, CompressorDeleter>;
struct DecompressorDeleter {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};
using Decompressor = std::unique_ptr<ZSTD_DCtx, DecompressorDeleter>;

core::Result<core::Bytes> decompress_declared(std::span<const std::byte> frame,
                                              std::uint64_t size) {
  if (size > kMaxPayload) {
    return core::Error(core::ErrorCode::kUnsupported,
                       core::text("a payload of ", size, " bytes is over the format's 2 GiB"));
  }
  if (size > (frame.size() + 1) * kMostPerFrameByte) {
    return corrupt(core::text("the frame declares ", size, " bytes, more than it can hold"));
  }
  core::Bytes payload(size);
  const std::size_t made =
      ZSTD_decompress(payload.data(), payload.size(), frame.data(), frame.size());
  if (ZSTD_isError(made) != 0) return corrupt(core::text("zstd: ", ZSTD_getErrorName(made)));
  if (made != size) return corrupt("the frame decodes to another size than it declares");
  return payload;
}

/// Frames of writers before 2.3, which tell no size: the buffer grows with what comes.
core::Result<core::Bytes> decompress_undeclared(std::span<const std::byte> frame) {
  const Decompressor context(ZSTD_createDCtx());
  core::Bytes payload;
  ZSTD_inBuffer in{frame.data(), frame.size(), 0};
  for (std::size_t made = 0;;) {
    if (payload.size() - made < kGrowthStep / 2) {
      payload.resize(payload.size() + std::max(kGrowthStep, payload.size() / 2));
    }
    ZSTD_outBuffer out{payload.data(), payload.size(), made};
    const std::size_t left = ZSTD_decompressStream(context.get(), &out, &in);
    if (ZSTD_isError(left) != 0) return corrupt(core::text("zstd: ", ZSTD_getErrorName(left)));
    if (out.pos > kMaxPayload) {
      return core::Error(core::ErrorCode::kUnsupported, "a payload over the format's 2 GiB");
    }
    if (left == 0) {
      payload.resize(out.pos);
      payload.shrink_to_fit();
      return payload;
    }
    if (out.pos == made && in.pos == in.size) return corrupt("the zstd frame is cut off");
    made = out.pos;
  }
}

/// Room for the worst case, not filled before: most of it is never touched.
struct Room {
  explicit Room(std::size_t payload)
      : size(ZSTD_compressBound(payload)),
        bytes(std::make_unique_for_overwrite<std::byte[]>(size)) {}
  std::size_t size;
  std::unique_ptr<std::byte[]> bytes;
};

core::Result<std::size_t> compress_into(Room& room, ZSTD_CCtx* context,
                                        std::span<const std::byte> payload,
                                        const Compression& how) {
  ZSTD_CCtx_reset(context, ZSTD_reset_session_and_parameters);
  const std::pair<ZSTD_cParameter, int> parameters[] = {
      {ZSTD_c_compressionLevel, how.level}, {ZSTD_c_strategy, how.strategy},
      {ZSTD_c_hashLog, how.tables_log2},    {ZSTD_c_chainLog, how.tables_log2},
      {ZSTD_c_targetLength, how.step},
  };
  for (const auto& [parameter, value] : parameters) {
    if (value == 0) continue;
    const std::size_t set = ZSTD_CCtx_setParameter(context, parameter, value);
    if (ZSTD_isError(set) != 0) {
      return core::Error(core::ErrorCode::kInvalidArgument,
                         core::text("zstd: ", ZSTD_getErrorName(set)));
    }
  }
  const std::size_t made =
      ZSTD_compress2(context, room.bytes.get(), room.size, payload.data(), payload.size());
  if (ZSTD_isError(made) != 0) {
    return core::Error(core::ErrorCode::kInvalidArgument,
                       core::text("zstd: ", ZSTD_getErrorName(made)));
  }
  return made;
}

}  // namespace

core::Status append_frame(core::Bytes& out, std::span<const std::byte> payload,
                          std::span<const Compression> choices) {
  const Compressor context(ZSTD_createCCtx());
  Room room(payload.size());
  const std::size_t before = out.size();
  for (const Compression& choice : choices) {
    TRY_ASSIGN(const auto made, compress_into(room, context.get(), payload, choice));
    if (out.size() > before && made >= out.size() - before) continue;
    out.resize(before);
    out.insert(out.end(), room.bytes.get(), room.bytes.get() + made);
  }
  return {};
}

core::Result<core::Bytes> decompress(std::span<const std::byte> frame) {
  const std::size_t frame_size = ZSTD_findFrameCompressedSize(frame.data(), frame.size());
  if (ZSTD_isError(frame_size) != 0) {
    return corrupt(core::text("zstd: ", ZSTD_getErrorName(frame_size)));
  }
  if (frame_size != frame.size()) return corrupt("bytes after the zstd frame");

  const unsigned long long declared = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (declared == ZSTD_CONTENTSIZE_ERROR) return corrupt("no zstd frame after the header");
  if (declared == ZSTD_CONTENTSIZE_UNKNOWN) return decompress_undeclared(frame);
  return decompress_declared(frame, declared);
}

}  // namespace icefield::icechunk::internal
