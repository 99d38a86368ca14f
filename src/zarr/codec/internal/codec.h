#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "core/bytes.h"
#include "core/json.h"
#include "core/result.h"
#include "zarr/codec/codec_chain.h"

namespace icefield::zarr {

/// The three kinds of codec of Zarr v3. Implementations are immutable; any thread may use them.

/// Values in, values out: transpose, scale_offset.
class ArrayCodec {
 public:
  ArrayCodec() = default;
  ArrayCodec(const ArrayCodec&) = delete;
  ArrayCodec& operator=(const ArrayCodec&) = delete;
  virtual ~ArrayCodec() = default;

  /// What the next codec sees.
  virtual const ChunkSpec& encoded() const = 0;
  virtual core::Result<core::Bytes> encode(std::span<const std::byte> values) const = 0;
  /// `values` has the length that encoded() says.
  virtual core::Result<core::Bytes> decode(std::span<const std::byte> values) const = 0;
};

/// Values in, bytes out: bytes, sharding_indexed, gribberish.
class SerializerCodec {
 public:
  SerializerCodec() = default;
  SerializerCodec(const SerializerCodec&) = delete;
  SerializerCodec& operator=(const SerializerCodec&) = delete;
  virtual ~SerializerCodec() = default;

  virtual core::Result<core::Bytes> encode(std::span<const std::byte> values) const = 0;
  /// Gives exactly the chunk's bytes, or an error.
  virtual core::Result<core::Bytes> decode(std::span<const std::byte> encoded) const = 0;
  /// The length of what encode gives, when it is the same for all values.
  virtual std::optional<std::size_t> encoded_size() const = 0;
};

/// Bytes in, bytes out: blosc, zstd, gzip, crc32c.
class BytesCodec {
 public:
  BytesCodec() = default;
  BytesCodec(const BytesCodec&) = delete;
  BytesCodec& operator=(const BytesCodec&) = delete;
  virtual ~BytesCodec() = default;

  virtual core::Result<core::Bytes> encode(std::span<const std::byte> bytes) const = 0;
  /// Errors: kCorrupt, also when the result would be longer than `limit`.
  virtual core::Result<core::Bytes> decode(std::span<const std::byte> encoded,
                                           std::size_t limit) const = 0;
  /// The length of what encode gives for `size` bytes, when it depends on nothing else.
  virtual std::optional<std::size_t> encoded_size(std::size_t size) const = 0;
};

using ArrayCodecPtr = std::unique_ptr<const ArrayCodec>;
using SerializerCodecPtr = std::unique_ptr<const SerializerCodec>;
using BytesCodecPtr = std::unique_ptr<const BytesCodec>;

core::Result<ArrayCodecPtr> make_transpose(const core::Json& configuration, const ChunkSpec& chunk);
core::Result<ArrayCodecPtr> make_scale_offset(const core::Json& configuration,
                                              const ChunkSpec& chunk);

core::Result<SerializerCodecPtr> make_bytes(const core::Json& configuration,
                                            const ChunkSpec& chunk);
core::Result<SerializerCodecPtr> make_sharding(const core::Json& configuration,
                                               const ChunkSpec& chunk);
core::Result<SerializerCodecPtr> make_gribberish(const core::Json& configuration,
                                                 const ChunkSpec& chunk);

core::Result<BytesCodecPtr> make_blosc(const core::Json& configuration);
core::Result<BytesCodecPtr> make_zstd(const core::Json& configuration);
core::Result<BytesCodecPtr> make_gzip(const core::Json& configuration);
core::Result<BytesCodecPtr> make_crc32c(const core::Json& configuration);

/// A codec of one of the three kinds. Errors: kUnsupported for a name that is in no list.
using AnyCodec = std::variant<ArrayCodecPtr, SerializerCodecPtr, BytesCodecPtr>;
core::Result<AnyCodec> make_codec(const Extension& extension, const ChunkSpec& chunk);

/// Elements times their size; the codecs are only made for chunks where this fits.
std::size_t bytes_of(const ChunkSpec& chunk);

/// An integer member of a configuration within [least, most], or `fallback` when absent.
core::Result<int> integer_member(const core::Json& configuration, std::string_view name,
                                 int fallback, std::pair<int, int> bounds);

/// Errors: kCorrupt, naming the member, when the configuration has one that the codec does not
/// know.
core::Status only_members(const core::Json& configuration, std::string_view codec,
                          std::initializer_list<std::string_view> known);

/// An Error that names the codec.
inline core::Error codec_error(core::ErrorCode code, std::string_view codec,
                               std::string_view message) {
  return {code, "codec " + std::string(codec) + ": " + std::string(message)};
}

}  // namespace icefield::zarr
