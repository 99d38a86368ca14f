#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/result.h"
#include "grib/decode/internal/bits.h"

namespace icefield::grib {

/// What a CCSDS 121.0-B stream does not say about itself.
struct AecLayout {
  unsigned width = 0;       // bits per sample, 1..32
  unsigned block_size = 0;  // samples, 2..256, even
  unsigned interval = 0;    // blocks between reference samples, at least 1
  bool differences = true;  // samples are mapped prediction errors (unit-delay predictor)
  bool short_ids = false;   // restricted code options: widths up to 4 only
  bool padded = false;      // each reference interval begins on a whole octet
};

/// The samples of one coded data set, as unsigned numbers, or a run of zero blocks.
struct AecBlock {
  static constexpr std::size_t kCapacity = 256;
  // [0, size) hold the mapped numbers when zero_samples is 0; room for whole vectors behind them
  alignas(32) std::array<std::uint32_t, kCapacity + 16> number = {};
  std::size_t size = 0;            // samples in the block
  std::uint64_t zero_samples = 0;  // > 0: so many samples with the number 0, instead of `number`
  bool has_reference = false;      // the first sample is `reference`, not coded
  std::uint32_t reference = 0;
};

/// Reads coded data sets one after another. Never reads past the stream, whatever it holds.
class AecReader {
 public:
  AecReader(const AecLayout& layout, std::span<const std::byte> stream)
      : layout_(layout), bytes_(stream), end_(std::uint64_t{stream.size()} * 8) {}

  /// Errors: kCorrupt when the stream ends within the set or a code has no meaning.
  core::Status read_next(AecBlock& block);

 private:
  core::Result<std::uint32_t> take(unsigned bits);
  core::Status read_reference(AecBlock& block);
  core::Status read_low_entropy(AecBlock& block);
  core::Status read_zero_blocks(AecBlock& block);
  core::Status read_second_extension(AecBlock& block);
  core::Status read_split(AecBlock& block, unsigned low_bits);
  bool read_split_by_vectors(std::span<std::uint32_t> coded, unsigned low_bits);
  core::Status read_uncompressed(AecBlock& block);
  core::Status read_unary(std::span<std::uint32_t> numbers);

  const AecLayout& layout_;
  std::span<const std::byte> bytes_;
  std::uint64_t end_;                       // bits
  std::uint64_t position_ = 0;              // bit of the next set
  unsigned block_ = 0;                      // blocks of this interval that were read
  static constexpr std::size_t kFront = 8;  // keeps the vectors behind it aligned
  // places of 1 bits, of up to 64 too many, with room for whole vectors behind them
  alignas(32) std::array<std::uint32_t, kFront + AecBlock::kCapacity + 64 + 16> places_ = {};
};

}  // namespace icefield::grib
