#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "core/bytes.h"
#include "core/result.h"
#include "zarr/chunk_grid.h"
#include "zarr/data_type.h"
#include "zarr/fill_value.h"
#include "zarr/metadata/array_metadata.h"

namespace icefield::zarr {

/// What one chunk holds before it is encoded.
struct ChunkSpec {
  DataType data_type = DataType::kFloat64;
  Shape shape;
  FillValue fill_value;
};

/// An array's `codecs`, prepared for chunks of one shape. Immutable: any thread may use it.
class CodecChain {
 public:
  /// Errors: kUnsupported for an unknown codec; kCorrupt for a wrong configuration or order;
  ///         kInvalidArgument for a chunk of more than 2^35 bytes.
  static core::Result<CodecChain> make(std::span<const Extension> codecs, const ChunkSpec& chunk);

  /// The chain of an array's own chunks.
  static core::Result<CodecChain> of(const ArrayMetadata& array);

  CodecChain(CodecChain&& other) noexcept;
  CodecChain& operator=(CodecChain&& other) noexcept;
  CodecChain(const CodecChain&) = delete;
  CodecChain& operator=(const CodecChain&) = delete;
  ~CodecChain();

  /// Bytes of one chunk's values: elements times their size.
  std::size_t chunk_bytes() const;

  /// The length of what encode gives, when it is the same for all values.
  std::optional<std::size_t> encoded_size() const;

  /// `values`: the whole chunk in C order, little-endian, chunk_bytes() long.
  /// Errors: kInvalidArgument for another length; kUnsupported for a decode-only codec.
  core::Result<core::Bytes> encode(std::span<const std::byte> values) const;

  /// The chunk's values, chunk_bytes() long. Never allocates more than a small multiple of that.
  /// Errors: kCorrupt; kUnsupported (gribberish).
  core::Result<core::Bytes> decode(std::span<const std::byte> encoded) const;

 private:
  struct State;
  explicit CodecChain(std::unique_ptr<const State> state);
  std::unique_ptr<const State> state_;
};

}  // namespace icefield::zarr
