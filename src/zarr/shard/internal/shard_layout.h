#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/bytes.h"
#include "core/json.h"
#include "core/result.h"
#include "zarr/chunk_grid.h"
#include "zarr/codec/codec_chain.h"

namespace icefield::zarr {

/// Where one inner chunk lies in its shard; nothing: the chunk is all fill value.
using ShardIndex = std::vector<std::optional<core::ByteRange>>;

/// A sharding_indexed configuration, prepared for shards of one shape (docs/formats/zarr.md,
/// sharding). Immutable: any thread may use it.
class ShardLayout {
 public:
  /// Errors: kCorrupt, kUnsupported, as CodecChain::make.
  static core::Result<ShardLayout> make(const core::Json& configuration, const ChunkSpec& shard);

  const ChunkSpec& shard() const { return shard_; }
  const ChunkSpec& inner() const { return inner_spec_; }
  const CodecChain& inner_codecs() const { return inner_codecs_; }
  const Shape& counts() const { return counts_; }       // inner chunks per dimension
  std::size_t inner_chunks() const { return chunks_; }  // their product
  std::size_t index_bytes() const { return index_bytes_; }
  bool index_at_start() const { return index_at_start_; }

  core::Result<core::Bytes> encode_index(const ShardIndex& index) const;

  /// Errors: kCorrupt, also when an entry does not lie within `shard_size` bytes.
  core::Result<ShardIndex> decode_index(std::span<const std::byte> encoded,
                                        std::uint64_t shard_size) const;

  /// Copies inner chunk number `chunk` (C order of the grid) out of, or into, the shard's values.
  void gather(std::span<const std::byte> shard, std::size_t chunk,
              std::span<std::byte> inner) const;
  void scatter(std::span<const std::byte> inner, std::size_t chunk,
               std::span<std::byte> shard) const;

 private:
  ShardLayout(ChunkSpec shard, ChunkSpec inner, CodecChain inner_codecs, CodecChain index_codecs)
      : shard_(std::move(shard)),
        inner_spec_(std::move(inner)),
        inner_codecs_(std::move(inner_codecs)),
        index_codecs_(std::move(index_codecs)) {}

  /// Calls `row(offset in the shard, offset in the chunk, bytes)` for each contiguous piece.
  template <typename Row>
  void each_row(std::size_t chunk, const Row& row) const;

  ChunkSpec shard_;
  ChunkSpec inner_spec_;
  CodecChain inner_codecs_;
  CodecChain index_codecs_;
  Shape counts_;
  std::size_t chunks_ = 0;
  std::size_t index_bytes_ = 0;
  bool index_at_start_ = false;
};

}  // namespace icefield::zarr
