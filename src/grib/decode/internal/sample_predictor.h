#pragma once

#include <cstdint>

namespace icefield::grib {

/// Undoes the unit-delay prediction of unsigned samples (CCSDS 121.0-B-3, section 4.3): a mapped
/// error counts alternately down and up from the sample before, and on the one side only once the
/// other is used up.
class SamplePredictor {
 public:
  /// `width`: bits per sample, 1..32.
  explicit SamplePredictor(unsigned width) : greatest_((std::int64_t{1} << width) - 1) {}

  std::uint32_t next(std::uint32_t mapped) {
    const std::int64_t error = (mapped & 1U) == 0 ? mapped / 2 : -std::int64_t{mapped / 2} - 1;
    const std::int64_t half = std::int64_t{mapped / 2} + (mapped & 1U);
    const std::int64_t above = greatest_ - sample_;
    const std::int64_t one_sided = sample_ <= above ? mapped : greatest_ - mapped;
    const std::int64_t room = sample_ <= above ? sample_ : above;
    sample_ = half <= room ? sample_ + error : one_sided & greatest_;
    return sample();
  }
  void restart(std::uint32_t sample) { sample_ = sample; }
  std::uint32_t sample() const { return static_cast<std::uint32_t>(sample_); }
  std::uint32_t greatest() const { return static_cast<std::uint32_t>(greatest_); }

 private:
  std::int64_t greatest_;
  std::int64_t sample_ = 0;
};

}  // namespace icefield::grib
