#include "grib/decode/internal/aec_reader.h"

#include <algorithm>
#include <bit>

#include "grib/decode/internal/aec_simd.h"
#include "grib/decode/internal/unpack.h"

namespace icefield::grib {
namespace {

core::Error corrupt(const char* what) {
  return {core::ErrorCode::kCorrupt, std::string("CCSDS stream: ") + what};
}

core::Error ends_early() {
  return corrupt("ends within a coded data set");
}

/// Bits of an option's number (CCSDS 121.0-B-3, table 5-1).
unsigned id_bits(const AecLayout& layout) {
  if (layout.width > 16) return 5;
  if (layout.width > 8) return 4;
  if (!layout.short_ids) return 3;
  return layout.width <= 2 ? 1 : 2;
}

/// The same bits, first in the stream at the lowest place.
std::uint64_t reversed(std::uint64_t bits) {
  bits = (bits >> 1U & 0x5555555555555555U) | (bits & 0x5555555555555555U) << 1U;
  bits = (bits >> 2U & 0x3333333333333333U) | (bits & 0x3333333333333333U) << 2U;
  bits = (bits >> 4U & 0x0F0F0F0F0F0F0F0FU) | (bits & 0x0F0F0F0F0F0F0F0FU) << 4U;
  return __builtin_bswap64(bits);
}

/// 64 bits from a whole octet on, zeros past the end.
std::uint64_t load_or_zeros(std::span<const std::byte> bytes, std::uint64_t at) {
  if (at + 8 <= bytes.size()) [[likely]]
    return load_eight(bytes.data() + at);
  std::uint64_t window = 0;
  for (std::uint64_t i = at; i < at + 8; ++i) {
    window = window << 8U | (i < bytes.size() ? std::to_integer<std::uint64_t>(bytes[i]) : 0U);
  }
  return window;
}

}  // namespace

core::Result<std::uint32_t> AecReader::take(unsigned bits) {
  if (bits > end_ - position_) return ends_early();
  const auto taken = static_cast<std::uint32_t>(read_bits(bytes_, position_, bits));
  position_ += bits;
  return taken;
}

core::Status AecReader::read_next(AecBlock& block) {
  if (block_ == layout_.interval) {
    block_ = 0;
    if (layout_.padded) position_ = std::min(end_, (position_ + 7) / 8 * 8);
  }
  block.size = layout_.block_size;
  block.zero_samples = 0;
  block.has_reference = layout_.differences && block_ == 0;
  const unsigned bits = id_bits(layout_);
  TRY_ASSIGN(const auto id, take(bits));
  if (id == 0) return read_low_entropy(block);
  ++block_;
  if (id == (1U << bits) - 1) return read_uncompressed(block);
  TRY(read_reference(block));
  return read_split(block, id - 1);
}

core::Status AecReader::read_reference(AecBlock& block) {
  if (!block.has_reference) return {};
  TRY_ASSIGN(block.reference, take(layout_.width));
  return {};
}

core::Status AecReader::read_low_entropy(AecBlock& block) {
  TRY_ASSIGN(const auto second_extension, take(1));
  TRY(read_reference(block));
  if (second_extension == 0) return read_zero_blocks(block);
  ++block_;
  return read_second_extension(block);
}

core::Status AecReader::read_zero_blocks(AecBlock& block) {
  constexpr std::uint32_t kRemainderOfSegment = 5;
  constexpr unsigned kSegment = 64;  // blocks
  std::uint32_t run = 0;
  TRY(read_unary({&run, 1}));
  const unsigned left = layout_.interval - block_;
  std::uint32_t n_blocks = run + 1;
  if (n_blocks == kRemainderOfSegment) {
    n_blocks = std::min(left, kSegment - block_ % kSegment);
  } else if (n_blocks > kRemainderOfSegment) {
    --n_blocks;
  }
  if (n_blocks > left) return corrupt("a run of zero blocks passes its interval");
  block_ += n_blocks;
  block.zero_samples = std::uint64_t{n_blocks} * layout_.block_size;
  return {};
}

core::Status AecReader::read_second_extension(AecBlock& block) {
  // A code stands for a pair (a, b): it is the number (a + b)(a + b + 1) / 2 + b.
  constexpr std::uint32_t kGreatestCode = 90;
  std::array<std::uint32_t, AecBlock::kCapacity / 2> codes = {};
  const std::size_t n_pairs = block.size / 2;
  TRY(read_unary(std::span(codes).first(n_pairs)));
  for (std::size_t pair = 0; pair < n_pairs; ++pair) {
    if (codes[pair] > kGreatestCode) return corrupt("a second extension code has no meaning");
    std::uint32_t sum = 0;
    while ((sum + 1) * (sum + 2) / 2 <= codes[pair]) ++sum;
    const std::uint32_t second = codes[pair] - sum * (sum + 1) / 2;
    block.number[2 * pair] = sum - second;
    block.number[2 * pair + 1] = second;
  }
  return {};
}

core::Status AecReader::read_split(AecBlock& block, unsigned low_bits) {
  const std::size_t skip = block.has_reference ? 1 : 0;
  const auto coded = std::span(block.number).subspan(skip, block.size - skip);
  if (has_avx2()) {
    const bool done = read_split_by_vectors(coded, low_bits);
    if (done) return {};
  }
  TRY(read_unary(coded));
  if (low_bits == 0) return {};
  const PackedIntegers low{.bytes = bytes_, .first_bit = position_, .width = low_bits};
  if (!low.holds(coded.size())) return ends_early();
  std::array<std::uint32_t, AecBlock::kCapacity> lows = {};
  unpack(low, std::span(lows).first(coded.size()));
  for (std::size_t i = 0; i < coded.size(); ++i) coded[i] = coded[i] << low_bits | lows[i];
  position_ += coded.size() * low_bits;
  return {};
}

bool AecReader::read_split_by_vectors(std::span<std::uint32_t> coded, unsigned low_bits) {
  std::uint32_t* const ones = places_.data() + kFront;
  ones[-1] = ~0U;
  if (avx2::find_ones(bytes_, position_, coded.size(), ones) < coded.size()) return false;
  const std::uint64_t behind = position_ + ones[coded.size() - 1] + 1;
  const PackedIntegers low{.bytes = bytes_, .first_bit = behind, .width = low_bits};
  if (!avx2::join_split(ones, low, coded)) return false;
  position_ = behind + coded.size() * low_bits;
  return true;
}

core::Status AecReader::read_uncompressed(AecBlock& block) {
  const PackedIntegers samples{.bytes = bytes_, .first_bit = position_, .width = layout_.width};
  if (!samples.holds(block.size)) return ends_early();
  unpack(samples, std::span(block.number).first(block.size));
  position_ += block.size * layout_.width;
  block.reference = block.number[0];
  return {};
}

core::Status AecReader::read_unary(std::span<std::uint32_t> numbers) {
  std::uint64_t at = position_ / 8;
  std::uint64_t ones = reversed(load_or_zeros(bytes_, at)) >> (position_ % 8) << (position_ % 8);
  std::uint64_t after_last = position_;  // the bit behind the last code's 1
  for (std::uint32_t& number : numbers) {
    while (ones == 0) {
      at += 8;
      if (at >= bytes_.size()) return ends_early();
      ones = reversed(load_or_zeros(bytes_, at));
    }
    const std::uint64_t one = at * 8 + static_cast<unsigned>(std::countr_zero(ones));
    number = static_cast<std::uint32_t>(one - after_last);
    after_last = one + 1;
    ones &= ones - 1;
  }
  position_ = after_last;
  return {};
}

}  // namespace icefield::grib
