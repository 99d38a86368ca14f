#include "grib/decode/png_packing.h"

#include "core/text.h"
#include "grib/decode/internal/png_image.h"
#include "grib/decode/internal/unpack.h"
#include "grib/decode/simple_packing.h"

namespace icefield::grib {
namespace {

template <typename T>
core::Status decode_any(const PngPacking& packing, std::span<const std::byte> data,
                        std::span<T> out) {
  if (packing.simple.bits_per_value == 0) return decode_packed(packing.simple, data, out);
  TRY_ASSIGN(const auto header, read_png_header(data));
  if (std::uint64_t{header.width} * header.height != out.size()) {
    return core::Error(core::ErrorCode::kCorrupt,
                       core::text("PNG packing: an image of ", header.width, " x ", header.height,
                                  " samples for ", out.size(), " values"));
  }
  TRY_ASSIGN(const auto rows, read_png_rows(data, header));
  const Scaling scaling = scaling_of(packing.simple);
  for (std::size_t i = 0; i < header.height; ++i) {
    const PackedIntegers packed{.bytes = rows.row(i), .width = header.bits_per_pixel};
    unpack_scaled(packed, scaling, out.subspan(i * header.width, header.width));
  }
  return {};
}

}  // namespace

core::Status decode_packed(const PngPacking& packing, std::span<const std::byte> data,
                           std::span<float> out) {
  return decode_any(packing, data, out);
}

core::Status decode_packed(const PngPacking& packing, std::span<const std::byte> data,
                           std::span<double> out) {
  return decode_any(packing, data, out);
}

}  // namespace icefield::grib
