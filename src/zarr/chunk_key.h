#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/json.h"
#include "core/result.h"
#include "zarr/chunk_grid.h"

namespace icefield::zarr {

/// How an array names its chunks: `default` ("c/0/1", scalar "c") or `v2` ("0.1", scalar "0").
struct ChunkKeyEncoding {
  enum class Kind : std::uint8_t { kDefault, kV2 };
  Kind kind = Kind::kDefault;
  char separator = '/';  // '/' or '.'
  friend bool operator==(const ChunkKeyEncoding&, const ChunkKeyEncoding&) = default;
};

/// The key of one chunk, relative to the array's path: "c/10302/0/0/0".
std::string chunk_key(const ChunkKeyEncoding& encoding, const ChunkIndex& index);

/// The chunk that a key (relative to the array's path) names, or nothing when the key is no chunk
/// key of an array of this rank. Only the spelling that chunk_key writes is accepted.
std::optional<ChunkIndex> parse_chunk_key(const ChunkKeyEncoding& encoding, std::string_view key,
                                          std::size_t rank);

/// `chunk_key_encoding` of an array document. Errors: kUnsupported, kCorrupt.
core::Result<ChunkKeyEncoding> read_chunk_key_encoding(const core::Json& json);
core::Json write_chunk_key_encoding(const ChunkKeyEncoding& encoding);

}  // namespace icefield::zarr
