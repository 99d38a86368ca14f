// corpus: tests/golden/grib
// Any bytes are a GRIB file: they are scanned, placed, named and decoded.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/range_reader.h"
#include "grib/field.h"
#include "grib/grid/points.h"
#include "grib/grid/scan_order.h"
#include "grib/index/ecmwf_index.h"
#include "grib/index/rescan.h"
#include "grib/keys/noaa_labels.h"
#include "grib/keys/parameter.h"
#include "grib/scan/scan.h"

namespace {

using namespace icefield;  // NOLINT: a program of its own

constexpr std::size_t kMostPoints = 1U << 16U;  // larger grids are the input's word only
constexpr std::size_t kMostFields = 16;

void use(std::span<const std::byte> bytes, const grib::Scan& scan, const grib::Field& field) {
  const auto points = grib::point_count(scan, field);
  if (!points || *points > kMostPoints) return;
  std::vector<double> values(*points);
  std::vector<double> other(*points);
  const auto& grid = scan.grids[field.grid];
  if (grib::decode_field(bytes, scan, field, std::span(values))) {
    (void)grib::to_north_up(grid, std::span<const double>(values), std::span(other)).has_value();
  }
  (void)grib::grid_points(grid, values, other).has_value();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  const core::BytesReader reader(bytes, "input");
  const auto found = grib::scan(reader);
  if (!found) std::abort();  // memory never fails to read: content is reported, not an error
  const grib::NoaaInventory inventory(*found);
  const auto rows = grib::rescan_ecmwf(reader);
  if (rows && !grib::parse_ecmwf_index(grib::format_ecmwf_index(rows->rows), size)) std::abort();
  for (std::size_t i = 0; i < std::min(found->fields.size(), kMostFields); ++i) {
    use(bytes, *found, found->fields[i]);
    (void)grib::parameter_name(found->fields[i]);
  }
  return 0;
}
