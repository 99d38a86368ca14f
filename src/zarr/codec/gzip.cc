#include <algorithm>
#include <limits>

#include <zlib.h>

#include "zarr/codec/internal/codec.h"

namespace icefield::zarr {
namespace {

constexpr int kGzipFormat = 16 + MAX_WBITS;
constexpr std::size_t kMostInput = std::numeric_limits<uInt>::max();

core::Error gzip_error(std::string_view message) {
  return codec_error(core::ErrorCode::kCorrupt, "gzip", message);
}

Bytef* as_bytef(const std::byte* bytes) {
  return const_cast<Bytef*>(  // NOLINT: zlib takes its input without const and does not write it
      reinterpret_cast<const Bytef*>(bytes));  // NOLINT: bytes may alias
}

/// An inflate state that ends with the scope.
class Inflater {
 public:
  Inflater() : ready_(inflateInit2(&stream_, kGzipFormat) == Z_OK) {}
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  Inflater(Inflater&&) = delete;
  Inflater& operator=(Inflater&&) = delete;
  ~Inflater() {
    if (ready_) inflateEnd(&stream_);
  }
  bool ready() const { return ready_; }
  z_stream& stream() { return stream_; }

 private:
  z_stream stream_{};
  bool ready_;
};

class GzipCodec final : public BytesCodec {
 public:
  explicit GzipCodec(int level) : level_(level) {}

  core::Result<core::Bytes> encode(std::span<const std::byte> bytes) const override {
    if (bytes.size() > kMostInput) {
      return codec_error(core::ErrorCode::kUnsupported, "gzip", "chunk of 4 GiB or more");
    }
    z_stream stream{};
    constexpr int kDefaultMemory = 8;
    if (deflateInit2(&stream, level_, Z_DEFLATED, kGzipFormat, kDefaultMemory,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
      return gzip_error("cannot start");
    }
    core::Bytes out(deflateBound(&stream, static_cast<uLong>(bytes.size())) + 32);
    stream.next_in = as_bytef(bytes.data());
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = as_bytef(out.data());
    stream.avail_out = static_cast<uInt>(std::min(out.size(), kMostInput));
    const int result = deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    if (result != Z_STREAM_END) return gzip_error("cannot compress");
    return out;
  }

  core::Result<core::Bytes> decode(std::span<const std::byte> encoded,
                                   std::size_t limit) const override {
    if (encoded.size() > kMostInput) return gzip_error("chunk of 4 GiB or more");
    core::Bytes out;
    // a gzip file may be several members one after the other
    do {
      TRY_ASSIGN(const std::size_t used, decode_member(encoded, limit, out));
      encoded = encoded.subspan(used);
    } while (!encoded.empty());
    return out;
  }

  std::optional<std::size_t> encoded_size(std::size_t /*size*/) const override {
    return std::nullopt;
  }

 private:
  /// Appends one member to `out`; gives the bytes it took.
  static core::Result<std::size_t> decode_member(std::span<const std::byte> encoded,
                                                 std::size_t limit, core::Bytes& out) {
    Inflater inflater;
    if (!inflater.ready()) return gzip_error("cannot start");
    z_stream& stream = inflater.stream();
    stream.next_in = as_bytef(encoded.data());
    stream.avail_in = static_cast<uInt>(encoded.size());
    std::size_t filled = out.size();
    for (;;) {
      // one byte beyond the limit, so that too long a result shows itself
      const std::size_t room = std::min(limit + 1 - filled, std::max(filled, std::size_t{65536}));
      out.resize(filled + room);
      stream.next_out = as_bytef(&out[filled]);
      stream.avail_out = static_cast<uInt>(std::min(room, kMostInput));
      const uInt offered = stream.avail_out;
      const int result = inflate(&stream, Z_NO_FLUSH);
      filled += offered - stream.avail_out;
      if (filled > limit) return gzip_error("longer than its chunk");
      if (result == Z_STREAM_END) break;
      if (result != Z_OK || (offered == stream.avail_out && stream.avail_in == 0)) {
        return gzip_error("damaged or cut off");
      }
    }
    out.resize(filled);
    return encoded.size() - stream.avail_in;
  }

  int level_;
};

}  // namespace

core::Result<BytesCodecPtr> make_gzip(const core::Json& configuration) {
  TRY(only_members(configuration, "gzip", {"level"}));
  constexpr int kDefaultLevel = 5;
  TRY_ASSIGN(const int level, integer_member(configuration, "level", kDefaultLevel, {0, 9}));
  return BytesCodecPtr(std::make_unique<GzipCodec>(level));
}

}  // namespace icefield::zarr
