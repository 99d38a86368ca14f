#pragma once

#include <cstdint>

namespace icefield::grib {

/// Undoes the unit-delay prediction of unsigned samples (CCSDS 121.0-B-3, section 4.3): a mapped
/// error counts alternately down and up from the sample before, and on the one side only once the
/// other is used up.
class SamplePredictor {
 public:
  /// `width`: bits per sample, 1..32.
  explicit SamplePredictor(unsigned width)
      : greatest_((std::uint64_t{1} << width) - 1), middle_(std::uint64_t{1} << (width - 1)) {}

  std::uint32_t next(std::uint32_t mapped) {
    const std::uint64_t mask = (sample_ & middle_) == 0 ? 0 : greatest_;
    const std::uint64_t half = std::uint64_t{mapped} / 2 + (mapped & 1U);
    if (half <= (mask ^ sample_)) {
      sample_ += (mapped & 1U) == 0 ? half : ~half + 1;
    } else {
      sample_ = (mask ^ mapped) & greatest_;  // no sample for an error that is none
    }
    return sample();
  }
  void restart(std::uint32_t sample) { sample_ = sample; }
  std::uint32_t sample() const { return static_cast<std::uint32_t>(sample_); }
  std::uint32_t greatest() const { return static_cast<std::uint32_t>(greatest_); }

 private:
  std::uint64_t greatest_;
  std::uint64_t middle_;
  std::uint64_t sample_ = 0;
};

}  // namespace icefield::grib
