#include <algorithm>
#include <utility>

#include "dataset/coordinate_values.h"
#include "dataset/internal/template_arrays.h"
#include "dataset/template.h"
#include "zarr/codec/codec_chain.h"

namespace icefield::dataset {
namespace {

std::vector<std::string> array_paths(const DatasetSpec& spec, const Coordinate& coordinate) {
  std::vector<std::string> paths;
  for (const Group& group : spec.groups) {
    if (!belongs_to(coordinate, group)) continue;
    std::string path(group.name);
    if (!path.empty()) path += '/';
    path += coordinate.name;
    paths.push_back(std::move(path));
  }
  return paths;
}

/// Chunk number `number` along the append dimension (the first of a growing coordinate) of an array
/// with `append_size` positions: the values, then fill values up to the chunk's extent.
core::Result<CoordinateChunk> encode_chunk(const DatasetSpec& spec, const Coordinate& coordinate,
                                           std::uint64_t append_size, std::uint64_t number) {
  const auto array = coordinate_array(spec, coordinate, append_size);
  Region positions{0, append_size};
  std::vector<std::uint32_t> index(array.shape.size(), 0);
  if (grows(spec, coordinate)) {
    const std::uint64_t extent = array.chunk_shape[0];
    positions = {number * extent, std::min((number + 1) * extent, append_size)};
    index[0] = static_cast<std::uint32_t>(number);
  }
  TRY_ASSIGN(auto values, coordinate_values(spec, coordinate, positions));
  TRY_ASSIGN(const auto codecs, zarr::CodecChain::of(array));
  const std::size_t given = values.size();
  values.resize(codecs.chunk_bytes());
  zarr::fill_elements(std::span(values).subspan(std::min(given, values.size())), array.fill_value,
                      array.data_type);
  TRY_ASSIGN(auto encoded, codecs.encode(values));
  return CoordinateChunk{array_paths(spec, coordinate), zarr::ChunkIndex(std::move(index)),
                         std::move(encoded)};
}

core::Status append_growing(const DatasetSpec& spec, const Coordinate& coordinate,
                            const Region& positions, std::vector<CoordinateChunk>& chunks) {
  const std::uint64_t extent = append_coordinate_chunk(spec);
  for (std::uint64_t at = positions.begin / extent; at * extent < positions.end; ++at) {
    TRY_ASSIGN(auto chunk, encode_chunk(spec, coordinate, positions.end, at));
    chunks.push_back(std::move(chunk));
  }
  return {};
}

}  // namespace

core::Result<std::vector<CoordinateChunk>> coordinate_chunks(const DatasetSpec& spec,
                                                             std::uint64_t append_size) {
  std::vector<CoordinateChunk> chunks;
  for (const Coordinate& coordinate : spec.coordinates) {
    if (coordinate.derivation == Derivation::kReserved || grows(spec, coordinate)) continue;
    TRY_ASSIGN(auto chunk, encode_chunk(spec, coordinate, append_size, 0));
    chunks.push_back(std::move(chunk));
  }
  TRY_ASSIGN(auto growing, growing_coordinate_chunks(spec, {0, append_size}));
  std::ranges::move(growing, std::back_inserter(chunks));
  return chunks;
}

core::Result<std::vector<CoordinateChunk>> growing_coordinate_chunks(const DatasetSpec& spec,
                                                                     const Region& positions) {
  std::vector<CoordinateChunk> chunks;
  for (const Coordinate& coordinate : spec.coordinates) {
    if (coordinate.derivation == Derivation::kReserved || !grows(spec, coordinate)) continue;
    TRY(append_growing(spec, coordinate, positions, chunks));
  }
  return chunks;
}

}  // namespace icefield::dataset
