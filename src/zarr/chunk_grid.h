#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/result.h"
#include "core/strong.h"

namespace icefield::zarr {

/// Elements per dimension of an array or of a chunk. Empty for a scalar.
using Shape = std::vector<std::uint64_t>;

/// Position in the chunk grid, one per dimension. Empty for a scalar's only chunk.
using ChunkIndex = core::Strong<struct ChunkIndexTag, std::vector<std::uint32_t>>;

/// Position of an element in the array, one per dimension.
using ElementIndex = core::Strong<struct ElementIndexTag, std::vector<std::uint64_t>>;

/// Chunks needed to cover `length` elements. Precondition: chunk > 0.
constexpr std::uint64_t chunks_along(std::uint64_t length, std::uint64_t chunk) {
  return length / chunk + (length % chunk != 0 ? 1 : 0);
}

/// Chunks per dimension of a regular grid.
/// Errors: kInvalidArgument when the ranks differ or a chunk has no extent.
core::Result<Shape> chunk_counts(std::span<const std::uint64_t> shape,
                                 std::span<const std::uint64_t> chunk_shape);

/// The chunk that holds an element.
/// Errors: kInvalidArgument when ranks differ, or the position does not fit 32 bits.
core::Result<ChunkIndex> chunk_of(const ElementIndex& element,
                                  std::span<const std::uint64_t> chunk_shape);

/// Product of the extents, 1 for a scalar.
/// Errors: kInvalidArgument when it exceeds 2^62 (also guards every allocation made from it).
core::Result<std::uint64_t> element_count(std::span<const std::uint64_t> shape);

}  // namespace icefield::zarr
