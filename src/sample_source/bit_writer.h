#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/bytes.h"

namespace icefield::sample_source {

/// Writes numbers of any width from 0 to 32 bits one after the other, most significant bit first,
/// as GRIB does in section 7. The room for all of them is made at the start.
class BitWriter {
 public:
  /// `bits`: at least as many as will be written, the bits lost by align() included.
  explicit BitWriter(std::size_t bits) : bytes_(bits / 8 + kSlack) {}

  /// Appends the low `width` bits of `value`. Precondition: value < 2^width, width <= 32.
  void put(std::uint32_t value, unsigned width) {
    pending_ = (pending_ << width) | value;
    held_ += width;
    if (held_ < 32) return;
    held_ -= 32;
    store_word(static_cast<std::uint32_t>(pending_ >> held_));
  }

  /// Fills up to a whole octet with zero bits.
  void align() {
    const unsigned missing = (8 - held_ % 8) % 8;
    put(0, missing);
  }

  /// What was written, filled up to whole octets. The writer is empty afterwards.
  core::Bytes finish() {
    align();
    while (held_ > 0) {
      held_ -= 8;
      bytes_[at_++] = static_cast<std::byte>((pending_ >> held_) & 0xFFU);
    }
    bytes_.resize(at_);
    return std::exchange(bytes_, {});
  }

 private:
  static constexpr std::size_t kSlack = 16;

  void store_word(std::uint32_t word) {
    for (unsigned shift = 32; shift > 0; shift -= 8) {
      bytes_[at_++] = static_cast<std::byte>((word >> (shift - 8)) & 0xFFU);
    }
  }

  core::Bytes bytes_;
  std::size_t at_ = 0;
  std::uint64_t pending_ = 0;  // its low `held_` bits are not stored yet
  unsigned held_ = 0;
};

}  // namespace icefield::sample_source
