#include "zarr/shard/shard_reader.h"

#include <utility>

#include "zarr/codec/internal/codec.h"
#include "zarr/shard/internal/shard_layout.h"

namespace icefield::zarr {

struct ShardReader::State {
  ShardLayout layout;
  ShardIndex index;
  const core::RangeReader* shard;
};

ShardReader::ShardReader(std::unique_ptr<const State> state) : state_(std::move(state)) {}
ShardReader::ShardReader(ShardReader&& other) noexcept = default;
ShardReader& ShardReader::operator=(ShardReader&& other) noexcept = default;
ShardReader::~ShardReader() = default;

core::Result<ShardReader> ShardReader::open(const ArrayMetadata& array,
                                            const core::RangeReader& shard) {
  if (array.codecs.size() != 1 || array.codecs[0].name != "sharding_indexed") {
    return core::Error(core::ErrorCode::kInvalidArgument,
                       "only an array with the one codec sharding_indexed has inner chunks");
  }
  TRY_ASSIGN(auto layout,
             ShardLayout::make(array.codecs[0].configuration,
                               {array.data_type, array.chunk_shape, array.fill_value}));
  const std::uint64_t size = shard.size();
  if (size < layout.index_bytes()) {
    return codec_error(core::ErrorCode::kCorrupt, "sharding_indexed",
                       shard.name() + " is shorter than its index");
  }
  core::Bytes encoded(layout.index_bytes());
  TRY(shard.read_exactly(layout.index_at_start() ? 0 : size - encoded.size(), encoded));
  TRY_ASSIGN(auto index, layout.decode_index(encoded, size));
  return ShardReader(
      std::make_unique<const State>(State{std::move(layout), std::move(index), &shard}));
}

const Shape& ShardReader::counts() const {
  return state_->layout.counts();
}

core::Result<std::optional<core::ByteRange>> ShardReader::find(const ChunkIndex& inner) const {
  const Shape& counts = state_->layout.counts();
  std::size_t at = 0;
  bool inside = inner.value().size() == counts.size();
  for (std::size_t i = 0; inside && i < counts.size(); ++i) {
    inside = inner.value()[i] < counts[i];
    at = at * counts[i] + inner.value()[i];
  }
  if (!inside) {
    return core::Error(core::ErrorCode::kInvalidArgument, "no such inner chunk in the shard");
  }
  return state_->index[at];
}

core::Result<core::Bytes> ShardReader::read_chunk(const ChunkIndex& inner) const {
  TRY_ASSIGN(const auto range, find(inner));
  const ChunkSpec& spec = state_->layout.inner();
  if (!range) {
    core::Bytes values(bytes_of(spec));
    fill_elements(values, spec.fill_value, spec.data_type);
    return values;
  }
  core::Bytes encoded(range->length);
  TRY(state_->shard->read_exactly(range->offset, encoded));
  return state_->layout.inner_codecs().decode(encoded);
}

}  // namespace icefield::zarr
