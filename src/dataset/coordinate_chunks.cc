#include <algorithm>
#include <iterator>
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

/// One chunk of a coordinate with these values: they come first, then fill values.
core::Result<CoordinateChunk> encode_chunk(const DatasetSpec& spec, const Coordinate& coordinate,
                                           core::Bytes values, std::uint64_t number) {
  const auto array = coordinate_array(spec, coordinate, 1);
  TRY_ASSIGN(const auto codecs, zarr::CodecChain::of(array));
  const std::size_t given = values.size();
  values.resize(codecs.chunk_bytes());
  zarr::fill_elements(std::span(values).subspan(std::min(given, values.size())), array.fill_value,
                      array.data_type);
  TRY_ASSIGN(auto encoded, codecs.encode(values));
  std::vector<std::uint32_t> index(array.shape.size(), 0);
  if (grows(spec, coordinate)) index[0] = static_cast<std::uint32_t>(number);
  return CoordinateChunk{array_paths(spec, coordinate), zarr::ChunkIndex(std::move(index)),
                         std::move(encoded)};
}

core::Status append_growing(const DatasetSpec& spec, const Coordinate& coordinate,
                            const Region& positions, std::vector<CoordinateChunk>& chunks) {
  const std::uint64_t extent = append_coordinate_chunk(spec);
  CoordinateValues values(spec);
  for (std::uint64_t at = positions.begin / extent; at * extent < positions.end; ++at) {
    const Region held{at * extent, std::min((at + 1) * extent, positions.end)};
    TRY_ASSIGN(auto some, values.of(coordinate, held));
    TRY_ASSIGN(auto chunk, encode_chunk(spec, coordinate, std::move(some), at));
    chunks.push_back(std::move(chunk));
  }
  return {};
}

}  // namespace

core::Result<std::vector<CoordinateChunk>> coordinate_chunks(const DatasetSpec& spec,
                                                             std::uint64_t append_size) {
  std::vector<CoordinateChunk> chunks;
  CoordinateValues values(spec);
  for (const Coordinate& coordinate : spec.coordinates) {
    if (coordinate.derivation == Derivation::kReserved || grows(spec, coordinate)) continue;
    TRY_ASSIGN(auto all, values.of(coordinate, {0, append_size}));
    TRY_ASSIGN(auto chunk, encode_chunk(spec, coordinate, std::move(all), 0));
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
