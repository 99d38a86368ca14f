#include <cstring>
#include <numeric>
#include <utility>
#include <vector>

#include "zarr/codec/internal/codec.h"

namespace icefield::zarr {
namespace {

using Order = std::vector<std::size_t>;

/// Dimension i of the result is dimension order[i] of `values`, both in C order.
core::Bytes permuted(std::span<const std::byte> values, const Shape& shape, const Order& order,
                     std::size_t element) {
  const std::size_t rank = shape.size();
  std::vector<std::size_t> stride(rank, element);
  for (std::size_t i = rank; i-- > 1;) stride[i - 1] = stride[i] * shape[i];
  core::Bytes out(values.size());
  std::vector<std::uint64_t> at(rank, 0);
  std::size_t from = 0;
  for (std::size_t to = 0; to < out.size(); to += element) {
    std::memcpy(&out[to], &values[from], element);
    for (std::size_t i = rank; i-- > 0;) {  // the next element of the result, as an odometer
      from += stride[order[i]];
      if (++at[i] < shape[order[i]]) break;
      from -= at[i] * stride[order[i]];
      at[i] = 0;
    }
  }
  return out;
}

class TransposeCodec final : public ArrayCodec {
 public:
  TransposeCodec(const ChunkSpec& chunk, Order order)
      : decoded_(chunk), encoded_(chunk), order_(std::move(order)), inverse_(order_.size()) {
    for (std::size_t i = 0; i < order_.size(); ++i) {
      encoded_.shape[i] = decoded_.shape[order_[i]];
      inverse_[order_[i]] = i;
    }
  }

  const ChunkSpec& encoded() const override { return encoded_; }
  core::Result<core::Bytes> encode(std::span<const std::byte> values) const override {
    return permuted(values, decoded_.shape, order_, size_of(decoded_.data_type));
  }
  core::Result<core::Bytes> decode(std::span<const std::byte> values) const override {
    return permuted(values, encoded_.shape, inverse_, size_of(decoded_.data_type));
  }

 private:
  ChunkSpec decoded_;
  ChunkSpec encoded_;
  Order order_;
  Order inverse_;
};

}  // namespace

core::Result<ArrayCodecPtr> make_transpose(const core::Json& configuration,
                                           const ChunkSpec& chunk) {
  TRY(only_members(configuration, "transpose", {"order"}));
  const auto wrong = [] {
    return codec_error(core::ErrorCode::kCorrupt, "transpose",
                       "order is not a permutation of the dimensions");
  };
  const core::Json* const member = configuration.find("order");
  if (member == nullptr || !member->is_array()) return wrong();
  const std::size_t rank = chunk.shape.size();
  if (member->as_array().size() != rank) return wrong();
  Order order;
  std::vector<bool> seen(rank, false);
  for (const core::Json& one : member->as_array()) {
    if (!one.is_integer() || !one.is_unsigned() || one.as_uint64() >= rank) return wrong();
    const auto dimension = static_cast<std::size_t>(one.as_uint64());
    if (seen[dimension]) return wrong();
    seen[dimension] = true;
    order.push_back(dimension);
  }
  return ArrayCodecPtr(std::make_unique<TransposeCodec>(chunk, std::move(order)));
}

}  // namespace icefield::zarr
