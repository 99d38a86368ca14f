#include "grib/decode/log_packing.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "grib/decode/simple_packing.h"

namespace icefield::grib {
namespace {

constexpr std::size_t kTile =
    1024;  // numbers; a multiple of 8, so that every tile starts on a byte

template <typename T>
core::Status decode_any(const LogPacking& packing, std::span<const std::byte> data,
                        std::span<T> out) {
  const double parameter = packing.parameter;
  std::array<double, kTile> logarithms = {};  // double, because exp() magnifies a rounding
  for (std::size_t at = 0; at < out.size(); at += kTile) {
    const auto tile = std::span(logarithms).first(std::min(kTile, out.size() - at));
    const std::size_t octet = at / 8 * packing.simple.bits_per_value;
    TRY(decode_packed(packing.simple, data.subspan(std::min(octet, data.size())), tile));
    std::ranges::transform(
        tile, out.begin() + static_cast<std::ptrdiff_t>(at),
        [parameter](double v) { return static_cast<T>(std::exp(v) - parameter); });
  }
  return {};
}

}  // namespace

core::Status decode_packed(const LogPacking& packing, std::span<const std::byte> data,
                           std::span<float> out) {
  return decode_any(packing, data, out);
}

core::Status decode_packed(const LogPacking& packing, std::span<const std::byte> data,
                           std::span<double> out) {
  return decode_any(packing, data, out);
}

}  // namespace icefield::grib
