#include "grib/decode/simple_packing.h"

#include <algorithm>

#include "core/text.h"
#include "grib/decode/internal/unpack.h"

namespace icefield::grib {
namespace {

template <typename T>
core::Status decode_any(const SimplePacking& packing, std::span<const std::byte> data,
                        std::span<T> out) {
  if (packing.bits_per_value == 0) {
    std::ranges::fill(out, static_cast<T>(packing.reference_value));
    return {};
  }
  const PackedIntegers packed{.bytes = data, .width = packing.bits_per_value};
  if (!packed.holds(out.size())) {
    return core::Error(core::ErrorCode::kCorrupt,
                       core::text("simple packing: ", data.size(), " octets do not hold ",
                                  out.size(), " values of ", packing.bits_per_value, " bits"));
  }
  unpack_scaled(packed, scaling_of(packing), out);
  return {};
}

}  // namespace

core::Status decode_packed(const SimplePacking& packing, std::span<const std::byte> data,
                           std::span<float> out) {
  return decode_any(packing, data, out);
}

core::Status decode_packed(const SimplePacking& packing, std::span<const std::byte> data,
                           std::span<double> out) {
  return decode_any(packing, data, out);
}

}  // namespace icefield::grib
