#include "grib/decode/ieee_packing.h"

#include <bit>
#include <cstdint>

#include "core/text.h"
#include "grib/decode/internal/bits.h"

namespace icefield::grib {
namespace {

template <typename T>
core::Status decode_any(const IeeePacking& packing, std::span<const std::byte> data,
                        std::span<T> out) {
  const std::size_t width = packing.bytes_per_value;
  if (data.size() / width < out.size()) {
    return core::Error(core::ErrorCode::kCorrupt,
                       core::text("IEEE packing: ", data.size(), " octets do not hold ", out.size(),
                                  " values of ", width, " octets"));
  }
  const std::byte* from = data.data();
  if (width == 4) {
    for (T& value : out) {
      std::uint32_t bits = 0;
      std::memcpy(&bits, from, sizeof bits);
      value = static_cast<T>(std::bit_cast<float>(__builtin_bswap32(bits)));
      from += 4;
    }
  } else {
    for (T& value : out) {
      value = static_cast<T>(std::bit_cast<double>(load_eight(from)));
      from += 8;
    }
  }
  return {};
}

}  // namespace

core::Status decode_packed(const IeeePacking& packing, std::span<const std::byte> data,
                           std::span<float> out) {
  return decode_any(packing, data, out);
}

core::Status decode_packed(const IeeePacking& packing, std::span<const std::byte> data,
                           std::span<double> out) {
  return decode_any(packing, data, out);
}

}  // namespace icefield::grib
