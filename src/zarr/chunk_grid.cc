#include "zarr/chunk_grid.h"

#include <algorithm>
#include <limits>

#include "core/text.h"

namespace icefield::zarr {

core::Result<Shape> chunk_counts(std::span<const std::uint64_t> shape,
                                 std::span<const std::uint64_t> chunk_shape) {
  if (shape.size() != chunk_shape.size()) {
    return core::Error(core::ErrorCode::kInvalidArgument,
                       core::text("chunk shape has ", chunk_shape.size(), " dimensions, array has ",
                                  shape.size()));
  }
  Shape counts;
  counts.reserve(shape.size());
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (chunk_shape[i] == 0) {
      return core::Error(core::ErrorCode::kInvalidArgument,
                         core::text("chunk has no extent in dimension ", i));
    }
    counts.push_back(chunks_along(shape[i], chunk_shape[i]));
  }
  return counts;
}

core::Result<ChunkIndex> chunk_of(const ElementIndex& element,
                                  std::span<const std::uint64_t> chunk_shape) {
  if (element.value().size() != chunk_shape.size()) {
    return core::Error(core::ErrorCode::kInvalidArgument, "position and chunk differ in rank");
  }
  std::vector<std::uint32_t> index;
  index.reserve(chunk_shape.size());
  for (std::size_t i = 0; i < chunk_shape.size(); ++i) {
    const std::uint64_t at = chunk_shape[i] == 0 ? std::numeric_limits<std::uint64_t>::max()
                                                 : element.value()[i] / chunk_shape[i];
    if (at > std::numeric_limits<std::uint32_t>::max()) {
      return core::Error(core::ErrorCode::kInvalidArgument,
                         core::text("no chunk holds position ", element.value()[i]));
    }
    index.push_back(static_cast<std::uint32_t>(at));
  }
  return ChunkIndex(std::move(index));
}

core::Result<std::uint64_t> element_count(std::span<const std::uint64_t> shape) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 62U;
  if (std::ranges::find(shape, std::uint64_t{0}) != shape.end()) return std::uint64_t{0};
  std::uint64_t count = 1;
  for (const std::uint64_t extent : shape) {
    if (count > kMost / extent) {
      return core::Error(core::ErrorCode::kInvalidArgument, "shape holds more than 2^62 elements");
    }
    count *= extent;
  }
  return count;
}

}  // namespace icefield::zarr
