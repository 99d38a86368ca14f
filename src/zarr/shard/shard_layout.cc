#include "zarr/shard/internal/shard_layout.h"

#include <cstring>
#include <limits>
#include <utility>

#include "core/text.h"
#include "zarr/codec/internal/codec.h"

namespace icefield::zarr {
namespace {

constexpr std::uint64_t kMissing = std::numeric_limits<std::uint64_t>::max();
constexpr std::size_t kEntryBytes = 16;
constexpr std::uint64_t kMostInnerChunks = std::uint64_t{1} << 28U;

core::Error shard_error(std::string_view message) {
  return codec_error(core::ErrorCode::kCorrupt, "sharding_indexed", message);
}

core::Result<Shape> read_inner_shape(const core::Json& configuration, const Shape& shard) {
  const core::Json* const member = configuration.find("chunk_shape");
  if (member == nullptr || !member->is_array() || member->as_array().size() != shard.size()) {
    return shard_error("chunk_shape does not have the array's rank");
  }
  Shape inner;
  for (const core::Json& extent : member->as_array()) {
    const std::uint64_t whole = shard[inner.size()];
    if (!extent.is_integer() || !extent.is_unsigned() || extent.as_uint64() == 0 ||
        whole % extent.as_uint64() != 0) {
      return shard_error("chunk_shape does not divide the shard");
    }
    inner.push_back(extent.as_uint64());
  }
  return inner;
}

core::Result<CodecChain> read_chain(const core::Json& configuration, std::string_view name,
                                    const ChunkSpec& chunk) {
  const core::Json* const member = configuration.find(name);
  if (member == nullptr || !member->is_array()) {
    return shard_error("no " + std::string(name));
  }
  std::vector<Extension> codecs;
  for (const core::Json& one : member->as_array()) {
    TRY_ASSIGN(auto codec, read_extension(one, std::string(name)));
    codecs.push_back(std::move(codec));
  }
  return CodecChain::make(codecs, chunk);
}

core::Result<bool> read_index_at_start(const core::Json& configuration) {
  const core::Json* const location = configuration.find("index_location");
  if (location == nullptr || *location == core::Json("end")) return false;
  if (*location == core::Json("start")) return true;
  return shard_error("index_location is neither start nor end");
}

}  // namespace

core::Result<ShardLayout> ShardLayout::make(const core::Json& configuration,
                                            const ChunkSpec& shard) {
  TRY(only_members(configuration, "sharding_indexed",
                   {"chunk_shape", "codecs", "index_codecs", "index_location"}));
  TRY_ASSIGN(auto inner_shape, read_inner_shape(configuration, shard.shape));
  TRY_ASSIGN(auto counts, chunk_counts(shard.shape, inner_shape));
  TRY_ASSIGN(const auto chunks, element_count(counts));
  if (chunks > kMostInnerChunks) return shard_error("more than 2^28 inner chunks");
  const ChunkSpec inner{shard.data_type, std::move(inner_shape), shard.fill_value};
  TRY_ASSIGN(auto inner_codecs, read_chain(configuration, "codecs", inner));
  Shape index_shape = counts;
  index_shape.push_back(2);
  TRY_ASSIGN(auto index_codecs,
             read_chain(configuration, "index_codecs",
                        {DataType::kUint64, std::move(index_shape), FillValue{kMissing}}));
  const auto index_bytes = index_codecs.encoded_size();
  if (!index_bytes) return shard_error("index_codecs give no fixed length");
  ShardLayout layout(shard, inner, std::move(inner_codecs), std::move(index_codecs));
  layout.counts_ = std::move(counts);
  layout.chunks_ = chunks;
  layout.index_bytes_ = *index_bytes;
  TRY_ASSIGN(layout.index_at_start_, read_index_at_start(configuration));
  return layout;
}

core::Result<core::Bytes> ShardLayout::encode_index(const ShardIndex& index) const {
  core::Bytes entries;
  entries.reserve(index.size() * kEntryBytes);
  for (const auto& entry : index) {
    core::append_little_endian(entries, entry ? entry->offset : kMissing);
    core::append_little_endian(entries, entry ? entry->length : kMissing);
  }
  return index_codecs_.encode(entries);
}

core::Result<ShardIndex> ShardLayout::decode_index(std::span<const std::byte> encoded,
                                                   std::uint64_t shard_size) const {
  TRY_ASSIGN(const auto entries, index_codecs_.decode(encoded));
  ShardIndex index;
  index.reserve(chunks_);
  for (std::size_t i = 0; i < chunks_; ++i) {
    const auto offset = core::load_little_endian<std::uint64_t>(entries, i * kEntryBytes);
    const auto length = core::load_little_endian<std::uint64_t>(entries, i * kEntryBytes + 8);
    if (offset == kMissing && length == kMissing) {
      index.emplace_back();
      continue;
    }
    if (offset > shard_size || length > shard_size - offset) {
      return shard_error(core::text("inner chunk ", i, " lies outside the shard"));
    }
    index.emplace_back(core::ByteRange{offset, length});
  }
  return index;
}

template <typename Row>
void ShardLayout::each_row(std::size_t chunk, const Row& row) const {
  const std::size_t rank = counts_.size();
  const std::size_t element = size_of(shard_.data_type);
  if (rank == 0) return row(std::size_t{0}, std::size_t{0}, element);
  std::vector<std::size_t> stride(rank, element);  // bytes per step in the shard
  for (std::size_t i = rank; i-- > 1;) stride[i - 1] = stride[i] * shard_.shape[i];
  std::size_t start = 0;
  for (std::size_t i = rank, left = chunk; i-- > 0; left /= counts_[i]) {
    start += (left % counts_[i]) * inner_spec_.shape[i] * stride[i];
  }
  const std::size_t run = inner_spec_.shape.back() * element;
  const std::size_t rows = bytes_of(inner_spec_) / run;
  for (std::size_t r = 0; r < rows; ++r) {
    std::size_t from = start;
    for (std::size_t i = rank - 1, left = r; i-- > 0; left /= inner_spec_.shape[i]) {
      from += (left % inner_spec_.shape[i]) * stride[i];
    }
    row(from, r * run, run);
  }
}

void ShardLayout::gather(std::span<const std::byte> shard, std::size_t chunk,
                         std::span<std::byte> inner) const {
  each_row(chunk, [&](std::size_t from, std::size_t to, std::size_t size) {
    std::memcpy(&inner[to], &shard[from], size);
  });
}

void ShardLayout::scatter(std::span<const std::byte> inner, std::size_t chunk,
                          std::span<std::byte> shard) const {
  each_row(chunk, [&](std::size_t to, std::size_t from, std::size_t size) {
    std::memcpy(&shard[to], &inner[from], size);
  });
}

}  // namespace icefield::zarr
