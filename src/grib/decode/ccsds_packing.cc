#include "grib/decode/ccsds_packing.h"

#include <algorithm>

#include "core/text.h"
#include "grib/decode/internal/aec_reader.h"
#include "grib/decode/internal/scaling.h"
#include "grib/decode/simple_packing.h"

namespace icefield::grib {
namespace {

// Octet 22 of the template.
constexpr unsigned kSigned = 1;
constexpr unsigned kPreprocess = 8;
constexpr unsigned kRestricted = 16;
constexpr unsigned kPadded = 32;

core::Result<AecLayout> layout_of(const CcsdsPacking& packing) {
  if ((packing.flags & kSigned) != 0) {
    return core::Error(core::ErrorCode::kUnsupported, "CCSDS packing: signed samples");
  }
  const AecLayout layout{.width = packing.simple.bits_per_value,
                         .block_size = packing.block_size,
                         .interval = packing.reference_interval,
                         .differences = (packing.flags & kPreprocess) != 0,
                         .short_ids = (packing.flags & kRestricted) != 0 &&
                                      packing.simple.bits_per_value <= 4,
                         .padded = (packing.flags & kPadded) != 0};
  if (layout.block_size < 2 || layout.block_size % 2 != 0 || layout.interval == 0) {
    return core::Error(core::ErrorCode::kCorrupt,
                       core::text("CCSDS packing: blocks of ", layout.block_size,
                                  " samples, reference interval ", layout.interval));
  }
  return layout;
}

/// Undoes the unit-delay prediction (CCSDS 121.0-B-3, section 4.3).
class Predictor {
 public:
  explicit Predictor(unsigned width)
      : greatest_((std::uint64_t{1} << width) - 1), middle_(std::uint64_t{1} << (width - 1)) {}

  std::uint64_t next(std::uint64_t mapped) {
    const std::uint64_t mask = (sample_ & middle_) == 0 ? 0 : greatest_;
    const std::uint64_t half = mapped / 2 + (mapped & 1U);
    if (half <= (mask ^ sample_)) {
      sample_ += (mapped & 1U) == 0 ? half : ~half + 1;
    } else {
      sample_ = mask ^ mapped;
    }
    return sample_;
  }
  void restart(std::uint64_t sample) { sample_ = sample; }

 private:
  std::uint64_t greatest_;
  std::uint64_t middle_;
  std::uint64_t sample_ = 0;
};

template <typename T>
void write_block(const AecLayout& layout, const AecBlock& block, const Scaling& scaling,
                 Predictor& predictor, std::span<T> out) {
  std::size_t i = 0;
  if (block.has_reference) {
    predictor.restart(block.reference);
    out[i++] = static_cast<T>(scaling.value(static_cast<double>(block.reference)));
  }
  for (; i < out.size(); ++i) {
    const std::uint64_t mapped = block.zero_samples > 0 ? 0 : block.number[i];
    const std::uint64_t sample = layout.differences ? predictor.next(mapped) : mapped;
    out[i] = static_cast<T>(scaling.value(static_cast<double>(sample)));
  }
}

template <typename T>
core::Status decode_any(const CcsdsPacking& packing, std::span<const std::byte> data,
                        std::span<T> out) {
  if (packing.simple.bits_per_value == 0) return decode_packed(packing.simple, data, out);
  TRY_ASSIGN(const auto layout, layout_of(packing));
  const Scaling scaling = scaling_of(packing.simple);
  AecReader reader(layout, data);
  Predictor predictor(layout.width);
  AecBlock block;
  while (!out.empty()) {
    TRY(reader.read_next(block));
    const std::uint64_t samples = block.zero_samples > 0 ? block.zero_samples : block.size;
    const auto here = out.first(std::min<std::uint64_t>(samples, out.size()));
    write_block(layout, block, scaling, predictor, here);
    out = out.subspan(here.size());
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
