#include <algorithm>
#include <array>

#include <blosc.h>

#include "zarr/codec/internal/codec.h"

namespace icefield::zarr {
namespace {

core::Error blosc_error(core::ErrorCode code, std::string_view message) {
  return codec_error(code, "blosc", message);
}

struct BloscSettings {
  std::string compressor;
  int level = 5;
  int shuffle = BLOSC_SHUFFLE;
  std::size_t type_size = 1;
  std::size_t block_size = 0;
};

class BloscCodec final : public BytesCodec {
 public:
  explicit BloscCodec(BloscSettings settings) : settings_(std::move(settings)) {}

  core::Result<core::Bytes> encode(std::span<const std::byte> bytes) const override {
    if (bytes.size() > BLOSC_MAX_BUFFERSIZE) {
      return blosc_error(core::ErrorCode::kUnsupported, "chunk of 2 GiB or more");
    }
    core::Bytes out(bytes.size() + BLOSC_MAX_OVERHEAD);
    const int size = blosc_compress_ctx(settings_.level, settings_.shuffle, settings_.type_size,
                                        bytes.size(), bytes.data(), out.data(), out.size(),
                                        settings_.compressor.c_str(), settings_.block_size, 1);
    if (size <= 0) return blosc_error(core::ErrorCode::kUnsupported, "cannot compress");
    out.resize(static_cast<std::size_t>(size));
    return out;
  }

  core::Result<core::Bytes> decode(std::span<const std::byte> encoded,
                                   std::size_t limit) const override {
    std::size_t size = 0;
    if (encoded.size() < BLOSC_MIN_HEADER_LENGTH ||
        blosc_cbuffer_validate(encoded.data(), encoded.size(), &size) != 0) {
      return blosc_error(core::ErrorCode::kCorrupt, "no valid header");
    }
    if (size > limit) return blosc_error(core::ErrorCode::kCorrupt, "longer than its chunk");
    core::Bytes out(size);
    const int done = blosc_decompress_ctx(encoded.data(), out.data(), out.size(), 1);
    if (done < 0 || static_cast<std::size_t>(done) != size) {
      return blosc_error(core::ErrorCode::kCorrupt, "damaged");
    }
    return out;
  }

  std::optional<std::size_t> encoded_size(std::size_t /*size*/) const override {
    return std::nullopt;
  }

 private:
  BloscSettings settings_;
};

core::Result<std::string> text_member(const core::Json& configuration, std::string_view name,
                                      std::span<const std::string_view> allowed,
                                      std::string_view fallback) {
  const core::Json* const found = configuration.find(name);
  if (found == nullptr) return std::string(fallback);
  if (!found->is_string() ||
      std::ranges::find(allowed, std::string_view(found->as_string())) == allowed.end()) {
    return blosc_error(core::ErrorCode::kCorrupt, "unknown " + std::string(name));
  }
  return found->as_string();
}

}  // namespace

core::Result<BytesCodecPtr> make_blosc(const core::Json& configuration) {
  TRY(only_members(configuration, "blosc",
                   {"cname", "clevel", "shuffle", "typesize", "blocksize"}));
  constexpr std::array<std::string_view, 6> kCompressors = {"zstd",    "lz4",    "lz4hc",
                                                            "blosclz", "snappy", "zlib"};
  constexpr std::array<std::string_view, 3> kShuffles = {"noshuffle", "shuffle", "bitshuffle"};
  constexpr int kLargestLevel = 9;
  constexpr int kLargestType = BLOSC_MAX_TYPESIZE;
  constexpr int kLargestBlock = 1 << 30;
  BloscSettings settings;
  TRY_ASSIGN(settings.compressor, text_member(configuration, "cname", kCompressors, "zstd"));
  TRY_ASSIGN(const auto shuffle, text_member(configuration, "shuffle", kShuffles, "shuffle"));
  settings.shuffle = shuffle == "noshuffle" ? BLOSC_NOSHUFFLE
                     : shuffle == "shuffle" ? BLOSC_SHUFFLE
                                            : BLOSC_BITSHUFFLE;
  TRY_ASSIGN(settings.level, integer_member(configuration, "clevel", 5, {0, kLargestLevel}));
  TRY_ASSIGN(const int type_size, integer_member(configuration, "typesize", 1, {1, kLargestType}));
  TRY_ASSIGN(const int block, integer_member(configuration, "blocksize", 0, {0, kLargestBlock}));
  settings.type_size = static_cast<std::size_t>(type_size);
  settings.block_size = static_cast<std::size_t>(block);
  return BytesCodecPtr(std::make_unique<BloscCodec>(std::move(settings)));
}

}  // namespace icefield::zarr
