#include <algorithm>
#include <utility>

#include "zarr/codec/internal/codec.h"
#include "zarr/shard/internal/shard_layout.h"

namespace icefield::zarr {
namespace {

/// One chunk of the array made of many inner chunks, each encoded alone, with an index.
class ShardingCodec final : public SerializerCodec {
 public:
  explicit ShardingCodec(ShardLayout layout) : layout_(std::move(layout)) {}

  core::Result<core::Bytes> encode(std::span<const std::byte> values) const override {
    const ChunkSpec& inner = layout_.inner();
    core::Bytes out;
    if (layout_.index_at_start()) out.resize(layout_.index_bytes());
    ShardIndex index;
    core::Bytes chunk(bytes_of(inner));
    for (std::size_t i = 0; i < layout_.inner_chunks(); ++i) {
      layout_.gather(values, i, chunk);
      if (all_fill(chunk, inner.fill_value, inner.data_type)) {
        index.emplace_back();
        continue;
      }
      TRY_ASSIGN(const auto encoded, layout_.inner_codecs().encode(chunk));
      index.emplace_back(core::ByteRange{out.size(), encoded.size()});
      out.insert(out.end(), encoded.begin(), encoded.end());
    }
    TRY_ASSIGN(const auto encoded_index, layout_.encode_index(index));
    if (layout_.index_at_start()) {
      std::ranges::copy(encoded_index, out.begin());
    } else {
      out.insert(out.end(), encoded_index.begin(), encoded_index.end());
    }
    return out;
  }

  core::Result<core::Bytes> decode(std::span<const std::byte> encoded) const override {
    if (encoded.size() < layout_.index_bytes()) {
      return codec_error(core::ErrorCode::kCorrupt, "sharding_indexed", "shorter than its index");
    }
    const auto index_bytes = layout_.index_at_start() ? encoded.first(layout_.index_bytes())
                                                      : encoded.last(layout_.index_bytes());
    TRY_ASSIGN(const auto index, layout_.decode_index(index_bytes, encoded.size()));
    const ChunkSpec& shard = layout_.shard();
    core::Bytes values(bytes_of(shard));
    fill_elements(values, shard.fill_value, shard.data_type);
    for (std::size_t i = 0; i < index.size(); ++i) {
      if (!index[i]) continue;
      TRY_ASSIGN(const auto inner, layout_.inner_codecs().decode(
                                       encoded.subspan(index[i]->offset, index[i]->length)));
      layout_.scatter(inner, i, values);
    }
    return values;
  }

  std::optional<std::size_t> encoded_size() const override { return std::nullopt; }

 private:
  ShardLayout layout_;
};

}  // namespace

core::Result<SerializerCodecPtr> make_sharding(const core::Json& configuration,
                                               const ChunkSpec& chunk) {
  TRY_ASSIGN(auto layout, ShardLayout::make(configuration, chunk));
  return SerializerCodecPtr(std::make_unique<ShardingCodec>(std::move(layout)));
}

}  // namespace icefield::zarr
