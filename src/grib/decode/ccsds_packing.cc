#include "grib/decode/ccsds_packing.h"

#include <algorithm>

#include "core/text.h"
#include "grib/decode/internal/aec_reader.h"
#include "grib/decode/internal/aec_simd.h"
#include "grib/decode/internal/sample_predictor.h"
#include "grib/decode/internal/scaling.h"
#include "grib/decode/internal/unpack.h"
#include "grib/decode/simple_packing.h"

namespace icefield::grib {
namespace {

// Octet 22 of the template.
constexpr unsigned kSigned = 1;
constexpr unsigned kPreprocess = 8;
constexpr unsigned kRestricted = 16;
constexpr unsigned kPadded = 32;

constexpr std::size_t kPlainRun = 8;  // samples before vectors are tried again

core::Result<AecLayout> layout_of(const CcsdsPacking& packing) {
  if ((packing.flags & kSigned) != 0) {
    return core::Error(core::ErrorCode::kUnsupported, "CCSDS packing: signed samples");
  }
  const AecLayout layout{
      .width = packing.simple.bits_per_value,
      .block_size = packing.block_size,
      .interval = packing.reference_interval,
      .differences = (packing.flags & kPreprocess) != 0,
      .short_ids = (packing.flags & kRestricted) != 0 && packing.simple.bits_per_value <= 4,
      .padded = (packing.flags & kPadded) != 0};
  if (layout.block_size < 2 || layout.block_size % 2 != 0 || layout.interval == 0) {
    return core::Error(core::ErrorCode::kCorrupt,
                       core::text("CCSDS packing: blocks of ", layout.block_size,
                                  " samples, reference interval ", layout.interval));
  }
  return layout;
}

/// Numbers that the reader gave become samples, in place.
void restore_samples(const AecLayout& layout, AecBlock& block, SamplePredictor& predictor) {
  std::span<std::uint32_t> numbers = std::span(block.number).first(block.size);
  if (block.has_reference) {
    numbers[0] = block.reference;
    predictor.restart(block.reference);
    numbers = numbers.subspan(1);
  }
  const bool by_vectors = has_avx2() && layout.width <= avx2::kWidestSample;
  while (!numbers.empty()) {
    if (by_vectors) {
      const std::size_t done = avx2::restore(numbers, predictor.sample(), predictor.greatest());
      if (done > 0) predictor.restart(numbers[done - 1]);
      numbers = numbers.subspan(done);
    }
    const std::size_t next = std::min(by_vectors ? kPlainRun : numbers.size(), numbers.size());
    for (std::uint32_t& number : numbers.first(next)) number = predictor.next(number);
    numbers = numbers.subspan(next);
  }
}

/// Writes the block's values to the front of `out`, which may be shorter than the block.
/// Gives how many it wrote.
template <typename T>
std::size_t write_block(const AecLayout& layout, AecBlock& block, const Scaling& scaling,
                        SamplePredictor& predictor, std::span<T> out) {
  if (block.zero_samples > 0) {
    if (block.has_reference) predictor.restart(block.reference);
    const std::uint32_t sample = layout.differences ? predictor.sample() : 0;
    const auto here = out.first(std::min<std::uint64_t>(block.zero_samples, out.size()));
    std::ranges::fill(here, static_cast<T>(scaling.value(static_cast<double>(sample))));
    return here.size();
  }
  if (layout.differences) restore_samples(layout, block, predictor);
  const std::size_t size = std::min(block.size, out.size());
  scale(std::span(block.number).first(size), scaling, out.first(size));
  return size;
}

template <typename T>
core::Status decode_any(const CcsdsPacking& packing, std::span<const std::byte> data,
                        std::span<T> out) {
  if (packing.simple.bits_per_value == 0) return decode_packed(packing.simple, data, out);
  TRY_ASSIGN(const auto layout, layout_of(packing));
  const Scaling scaling = scaling_of(packing.simple);
  AecReader reader(layout, data);
  SamplePredictor predictor(layout.width);
  AecBlock block;
  while (!out.empty()) {
    TRY(reader.read_next(block));
    out = out.subspan(write_block(layout, block, scaling, predictor, out));
  }
  return {};
}

}  // namespace

core::Status decode_packed(const CcsdsPacking& packing, std::span<const std::byte> data,
                           std::span<float> out) {
  return decode_any(packing, data, out);
}

core::Status decode_packed(const CcsdsPacking& packing, std::span<const std::byte> data,
                           std::span<double> out) {
  return decode_any(packing, data, out);
}

}  // namespace icefield::grib
