#include "grib/decode/bitmap.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "core/text.h"
#include "grib/decode/internal/expand.h"

namespace icefield::grib {
namespace {

template <typename T>
core::Status spread_any(std::span<const std::byte> bitmap, std::size_t n_values, std::span<T> out) {
  if (bitmap.size() < (out.size() + 7) / 8) {
    return core::Error(
        core::ErrorCode::kCorrupt,
        core::text("bitmap of ", bitmap.size(), " octets for ", out.size(), " points"));
  }
  const std::uint64_t present = count_present(bitmap, out.size());
  if (present > n_values) {
    return core::Error(core::ErrorCode::kCorrupt, core::text("bitmap keeps ", present, " points, ",
                                                             n_values, " values are packed"));
  }
  // From the last point to the first: a value only moves towards the end, over points already done.
  std::size_t value = present;
  for (std::size_t at = out.size(); at-- > out.size() / 8 * 8;) {
    const unsigned bit = std::to_integer<unsigned>(bitmap[at / 8]) >> (7U - at % 8) & 1U;
    out[at] = bit != 0 ? out[--value] : std::numeric_limits<T>::quiet_NaN();
  }
  expand_octets_backward(bitmap.first(out.size() / 8), value, out);
  return {};
}

}  // namespace

std::uint64_t count_present(std::span<const std::byte> bitmap, std::uint64_t n_points) {
  const std::uint64_t bits = std::min<std::uint64_t>(n_points, std::uint64_t{bitmap.size()} * 8);
  const auto octets = static_cast<std::size_t>(bits / 8);
  std::uint64_t present = 0;
  std::size_t at = 0;
  for (; at + 8 <= octets; at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bitmap.data() + at, sizeof word);
    present += static_cast<std::uint64_t>(std::popcount(word));
  }
  for (; at < octets; ++at) {
    present += static_cast<std::uint64_t>(std::popcount(std::to_integer<std::uint8_t>(bitmap[at])));
  }
  if (bits % 8 != 0) {
    const auto last = std::to_integer<unsigned>(bitmap[octets]) >> (8U - bits % 8);
    present += static_cast<std::uint64_t>(std::popcount(last));
  }
  return present;
}

core::Status spread_over_bitmap(std::span<const std::byte> bitmap, std::size_t n_values,
                                std::span<float> out) {
  return spread_any(bitmap, n_values, out);
}

core::Status spread_over_bitmap(std::span<const std::byte> bitmap, std::size_t n_values,
                                std::span<double> out) {
  return spread_any(bitmap, n_values, out);
}

}  // namespace icefield::grib
