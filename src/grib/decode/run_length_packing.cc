#include "grib/decode/run_length_packing.h"

#include <algorithm>
#include <limits>

#include "core/text.h"
#include "grib/decode/internal/bits.h"
#include "grib/decode/internal/scaling.h"

namespace icefield::grib {
namespace {

core::Error corrupt(const std::string& what) {
  return {core::ErrorCode::kCorrupt, "run length packing: " + what};
}

/// The numbers of section 7, one after another.
class Numbers {
 public:
  Numbers(std::span<const std::byte> data, unsigned width)
      : bytes_(data), width_(width), left_(data.size() * 8 / width) {}

  bool done() const { return left_ == 0; }
  std::uint64_t peek() const { return read_bits(bytes_, position_, width_); }
  std::uint64_t take() {
    const std::uint64_t number = peek();
    position_ += width_;
    --left_;
    return number;
  }

 private:
  std::span<const std::byte> bytes_;
  unsigned width_;
  std::uint64_t left_;
  std::uint64_t position_ = 0;
};

/// The length of the run whose level was just taken, cut at `room` + 1.
std::uint64_t take_length(Numbers& numbers, const RunLengthPacking& packing, std::uint64_t room) {
  const std::uint64_t base = (std::uint64_t{1} << packing.bits_per_value) - 1 - packing.max_level;
  std::uint64_t length = 1;
  std::uint64_t weight = 1;
  while (!numbers.done() && numbers.peek() > packing.max_level) {
    const std::uint64_t digit = numbers.take() - packing.max_level - 1;
    // a digit is below 2^32 and room below 2^31: the products stay within 64 bits
    length = std::min(length + weight * digit, room + 1);
    weight = std::min(weight * base, room + 1);
  }
  return length;
}

template <typename T>
core::Status decode_any(const RunLengthPacking& packing, std::span<const std::byte> data,
                        std::span<T> out) {
  constexpr T kMissing = std::numeric_limits<T>::quiet_NaN();
  if (packing.max_level == 0) {
    std::ranges::fill(out, kMissing);
    return {};
  }
  const double scale = power_by_products(-packing.decimal_scale, 10);
  Numbers numbers(data, packing.bits_per_value);
  std::size_t filled = 0;
  while (filled < out.size()) {
    if (numbers.done()) return corrupt(core::text("runs end after ", filled, " points"));
    const std::uint64_t level = numbers.take();
    if (level > packing.max_level || level > packing.levels.size()) {
      return corrupt(core::text("level ", level, " has no value"));
    }
    const std::size_t room = out.size() - filled;
    const std::uint64_t length = take_length(numbers, packing, room);
    if (length > room) return corrupt("a run passes the last point");
    const T value = level == 0 ? kMissing : static_cast<T>(packing.levels[level - 1] * scale);
    std::ranges::fill(out.subspan(filled, length), value);
    filled += length;
  }
  return {};
}

}  // namespace

core::Status decode_packed(const RunLengthPacking& packing, std::span<const std::byte> data,
                           std::span<float> out) {
  return decode_any(packing, data, out);
}

core::Status decode_packed(const RunLengthPacking& packing, std::span<const std::byte> data,
                           std::span<double> out) {
  return decode_any(packing, data, out);
}

}  // namespace icefield::grib
