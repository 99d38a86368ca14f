#pragma once

#include <memory>
#include <optional>

#include "core/bytes.h"
#include "core/range_reader.h"
#include "core/result.h"
#include "zarr/chunk_grid.h"
#include "zarr/metadata/array_metadata.h"

namespace icefield::zarr {

/// Reads single inner chunks of one shard without reading the rest. Any thread may use it.
class ShardReader {
 public:
  /// Reads the shard's index. `shard` must outlive the reader.
  /// Errors: kInvalidArgument when the array's only codec is not sharding_indexed; kCorrupt; the
  /// source's own.
  static core::Result<ShardReader> open(const ArrayMetadata& array, const core::RangeReader& shard);

  ShardReader(ShardReader&& other) noexcept;
  ShardReader& operator=(ShardReader&& other) noexcept;
  ShardReader(const ShardReader&) = delete;
  ShardReader& operator=(const ShardReader&) = delete;
  ~ShardReader();

  /// Inner chunks per dimension of the shard.
  const Shape& counts() const;

  /// The bytes of one inner chunk within the shard; nothing when it is all fill value.
  /// Errors: kInvalidArgument when there is no such chunk.
  core::Result<std::optional<core::ByteRange>> find(const ChunkIndex& inner) const;

  /// Its values in C order, little-endian; the fill value where the shard holds none.
  core::Result<core::Bytes> read_chunk(const ChunkIndex& inner) const;

 private:
  struct State;
  explicit ShardReader(std::unique_ptr<const State> state);
  std::unique_ptr<const State> state_;
};

}  // namespace icefield::zarr
