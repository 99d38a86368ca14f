#include "zarr/codec/codec_chain.h"

#include <utility>
#include <vector>

#include "core/text.h"
#include "zarr/codec/internal/codec.h"

namespace icefield::zarr {

struct CodecChain::State {
  ChunkSpec chunk;
  std::vector<ArrayCodecPtr> array_codecs;
  SerializerCodecPtr serializer;
  std::vector<BytesCodecPtr> bytes_codecs;
};

namespace {

constexpr std::uint64_t kLargestChunk = std::uint64_t{1} << 35U;

core::Status check_size(const ChunkSpec& chunk) {
  TRY_ASSIGN(const auto elements, element_count(chunk.shape));
  if (elements > kLargestChunk / size_of(chunk.data_type)) {
    return core::Error(core::ErrorCode::kInvalidArgument, "chunk of more than 2^35 bytes");
  }
  return {};
}

/// What a bytes codec may decode to when another one still follows: a compressor's output can be
/// a little longer than its input.
std::size_t intermediate_limit(std::size_t size) {
  return size + size / 2 + 65536;
}

}  // namespace

CodecChain::CodecChain(std::unique_ptr<const State> state) : state_(std::move(state)) {}
CodecChain::CodecChain(CodecChain&& other) noexcept = default;
CodecChain& CodecChain::operator=(CodecChain&& other) noexcept = default;
CodecChain::~CodecChain() = default;

core::Result<CodecChain> CodecChain::make(std::span<const Extension> codecs,
                                          const ChunkSpec& chunk) {
  TRY(check_size(chunk));
  auto state = std::make_unique<State>();
  state->chunk = chunk;
  ChunkSpec seen = chunk;
  for (const Extension& extension : codecs) {
    TRY_ASSIGN(auto codec, make_codec(extension, seen));
    const auto misplaced = [&] {
      return codec_error(core::ErrorCode::kCorrupt, extension.name, "misplaced in the chain");
    };
    if (auto* const array = std::get_if<ArrayCodecPtr>(&codec)) {
      if (state->serializer) return misplaced();
      seen = (*array)->encoded();
      state->array_codecs.push_back(std::move(*array));
    } else if (auto* const serializer = std::get_if<SerializerCodecPtr>(&codec)) {
      if (state->serializer) return misplaced();
      state->serializer = std::move(*serializer);
    } else {
      if (!state->serializer) return misplaced();
      state->bytes_codecs.push_back(std::move(std::get<BytesCodecPtr>(codec)));
    }
  }
  if (!state->serializer) {
    return core::Error(core::ErrorCode::kCorrupt, "codecs: none turns values into bytes");
  }
  return CodecChain(std::move(state));
}

core::Result<CodecChain> CodecChain::of(const ArrayMetadata& array) {
  return make(array.codecs, {array.data_type, array.chunk_shape, array.fill_value});
}

std::size_t CodecChain::chunk_bytes() const {
  return bytes_of(state_->chunk);
}

std::optional<std::size_t> CodecChain::encoded_size() const {
  auto size = state_->serializer->encoded_size();
  for (const auto& codec : state_->bytes_codecs) {
    if (size) size = codec->encoded_size(*size);
  }
  return size;
}

core::Result<core::Bytes> CodecChain::encode(std::span<const std::byte> values) const {
  if (values.size() != chunk_bytes()) {
    return core::Error(core::ErrorCode::kInvalidArgument,
                       core::text("chunk of ", values.size(), " bytes, expected ", chunk_bytes()));
  }
  core::Bytes held;
  std::span<const std::byte> now = values;
  for (const auto& codec : state_->array_codecs) {
    TRY_ASSIGN(held, codec->encode(now));
    now = held;
  }
  TRY_ASSIGN(held, state_->serializer->encode(now));
  for (const auto& codec : state_->bytes_codecs) {
    TRY_ASSIGN(held, codec->encode(held));
  }
  return held;
}

core::Result<core::Bytes> CodecChain::decode(std::span<const std::byte> encoded) const {
  const std::size_t serialized = state_->serializer->encoded_size().value_or(chunk_bytes());
  core::Bytes held;
  std::span<const std::byte> now = encoded;
  for (std::size_t i = state_->bytes_codecs.size(); i-- > 0;) {
    const bool exact = i == 0 && state_->serializer->encoded_size();
    const std::size_t limit = exact ? serialized : intermediate_limit(serialized);
    TRY_ASSIGN(held, state_->bytes_codecs[i]->decode(now, limit));
    now = held;
  }
  TRY_ASSIGN(held, state_->serializer->decode(now));
  for (std::size_t i = state_->array_codecs.size(); i-- > 0;) {
    TRY_ASSIGN(held, state_->array_codecs[i]->decode(held));
  }
  return held;
}

}  // namespace icefield::zarr
