#include "grib/decode/decode.h"

#include <algorithm>
#include <limits>

#include "core/text.h"
#include "grib/decode/bitmap.h"
#include "grib/decode/ccsds_packing.h"
#include "grib/decode/complex_packing.h"
#include "grib/decode/ieee_packing.h"
#include "grib/decode/jpeg2000_packing.h"
#include "grib/decode/log_packing.h"
#include "grib/decode/png_packing.h"
#include "grib/decode/run_length_packing.h"
#include "grib/decode/simple_packing.h"

namespace icefield::grib {
namespace {

template <typename T>
core::Status decode_any(const Representation& representation, const PackedField& field,
                        std::span<T> out) {
  const std::size_t n_packed = representation.n_packed;
  if (n_packed == 0 && field.bitmap) return spread_over_bitmap(*field.bitmap, 0, out);
  if (field.bitmap ? n_packed > out.size() : n_packed != out.size()) {
    return core::Error(
        core::ErrorCode::kCorrupt,
        core::text("section 5 counts ", n_packed, " values, the grid has ", out.size(), " points"));
  }
  TRY(std::visit(
      [&](const auto& packing) { return decode_packed(packing, field.data, out.first(n_packed)); },
      representation.packing));
  if (field.bitmap) return spread_over_bitmap(*field.bitmap, n_packed, out);
  return {};
}

}  // namespace

core::Status decode(const Representation& representation, const PackedField& field,
                    std::span<float> out) {
  return decode_any(representation, field, out);
}

core::Status decode(const Representation& representation, const PackedField& field,
                    std::span<double> out) {
  return decode_any(representation, field, out);
}

}  // namespace icefield::grib
