#include "grib/scan/grib1.h"

#include <chrono>
#include <cmath>

#include "core/text.h"
#include "grib/internal/octets.h"
#include "grib/internal/row_clip.h"

namespace icefield::grib {
namespace {

constexpr double kMilli = 1e-3;

/// Code table 3: which types hold two one-octet values (layers) rather than one of two octets.
bool is_layer(std::uint8_t type) {
  switch (type) {
    case 101:
    case 104:
    case 106:
    case 108:
    case 110:
    case 112:
    case 114:
    case 116:
    case 120:
    case 121:
    case 128:
    case 141:
      return true;
    default:
      return false;
  }
}

std::optional<core::Timestamp> read_reference_time(Octets& section) {
  using namespace std::chrono;  // NOLINT: calendar words
  const int century = section.u8(25);
  const year_month_day date{year((century - 1) * 100 + section.u8(13)), month(section.u8(14)),
                            day(section.u8(15))};
  if (!date.ok() || section.u8(16) > 24 || section.u8(17) > 59) return std::nullopt;
  return sys_days(date) + hours(section.u8(16)) + minutes(section.u8(17));
}

/// Code table 4 of edition 1 as code table 4.4 of edition 2, and how many of those one unit is.
TimeSpan time_span(std::uint8_t unit, std::int64_t count) {
  switch (unit) {
    case 13:
      return {0, count * 15};
    case 14:
      return {0, count * 30};
    case 254:
      return {13, count};
    default:
      return {unit, count};
  }
}

std::uint8_t statistic_code(std::uint8_t time_range) {
  switch (time_range) {
    case 3:
    case 6:
    case 7:
      return 0;
    case 4:
      return 1;
    case 5:
      return 4;
    case 118:
      return 7;
    case 119:
      return 6;
    default:
      return 255;
  }
}

/// Code table 5: what P1 and P2 mean.
void read_times(Octets& section, Product& product) {
  const auto unit = section.u8(18);
  const std::int64_t p1 = section.u8(19);
  const std::int64_t p2 = section.u8(20);
  const auto time_range = section.u8(21);
  const auto range = [&](std::int64_t start, std::int64_t end) {
    product.forecast_time = time_span(unit, start);
    product.time_ranges.push_back({.statistic = statistic_code(time_range),
                                   .increment_type = 2,
                                   .length = time_span(unit, end - start),
                                   .increment = {}});
  };
  switch (time_range) {
    case 2:
    case 3:
    case 4:
    case 5:
    case 118:
    case 119:
      range(p1, p2);
      break;
    case 6:
      range(-p1, -p2);
      break;
    case 7:
      range(-p1, p2);
      break;
    case 10:
      product.forecast_time = time_span(unit, section.u16(19));
      break;
    default:
      product.forecast_time = time_span(unit, p1);
      break;
  }
}

/// ECMWF's local definitions put the member at octet 50 (stream and type before it).
void read_local_use(Octets& section, std::uint8_t centre, Product& product) {
  constexpr std::uint8_t kEcmwf = 98;
  if (centre != kEcmwf || section.size() < 51 || section.u8(41) != 1) return;
  product.member = EnsembleMember{255, section.u8(50), section.u8(51)};
}

/// The number that rotated grids give as a hexadecimal (base 16) float.
double base16_float(std::uint32_t bits) {
  const auto mantissa = static_cast<double>(bits & 0xFFFFFFU) / 0x1000000;
  const int exponent = static_cast<int>((bits >> 24U) & 0x7FU) - 64;
  const double magnitude = std::ldexp(mantissa, 4 * exponent);
  return (bits & 0x80000000U) != 0 ? -magnitude : magnitude;
}

void read_lat_lon(Octets& section, GridDefinition& out) {
  const auto kind = out.template_number;
  LatLonGrid grid;
  grid.first_latitude = section.s24(11) * kMilli;
  grid.first_longitude = section.s24(14) * kMilli;
  grid.last_latitude = section.s24(18) * kMilli;
  grid.last_longitude = section.s24(21) * kMilli;
  const auto increment = [&](std::size_t octet) -> std::optional<double> {
    const auto value = section.u16(octet);
    if ((out.resolution_flags & 0x80U) == 0 || value == 0 || value == 0xFFFFU) return std::nullopt;
    return value * kMilli;
  };
  grid.i_increment = increment(24);
  const bool gaussian = kind % 10 == 4;
  if (gaussian) {
    grid.gaussian_parallels = section.u16(26);
  } else {
    grid.j_increment = increment(26);
  }
  std::size_t at = 33;
  const auto family = kind / 10;  // 0 plain, 1 rotated, 2 stretched, 3 both
  if (family == 1 || family == 3) {
    grid.rotation = Rotation{section.s24(at) * kMilli, section.s24(at + 3) * kMilli,
                             base16_float(section.u32(at + 6))};
    at += 10;
  }
  if (family == 2 || family == 3) {
    grid.stretching = Stretching{section.s24(at) * kMilli, section.s24(at + 3) * kMilli,
                                 base16_float(section.u32(at + 6))};
  }
  out.grid = grid;
}

void read_mercator(Octets& section, GridDefinition& out) {
  out.grid = MercatorGrid{.first_latitude = section.s24(11) * kMilli,
                          .first_longitude = section.s24(14) * kMilli,
                          .true_latitude = section.s24(24) * kMilli,
                          .last_latitude = section.s24(18) * kMilli,
                          .last_longitude = section.s24(21) * kMilli,
                          .orientation = 0,
                          .dx = static_cast<double>(section.u24(29)),
                          .dy = static_cast<double>(section.u24(32))};
}

void read_polar_stereographic(Octets& section, GridDefinition& out) {
  const bool south = (section.u8(27) & 0x80U) != 0;
  out.grid = PolarStereographicGrid{.first_latitude = section.s24(11) * kMilli,
                                    .first_longitude = section.s24(14) * kMilli,
                                    .true_latitude = south ? -60.0 : 60.0,
                                    .orientation = section.s24(18) * kMilli,
                                    .dx = static_cast<double>(section.u24(21)),
                                    .dy = static_cast<double>(section.u24(24)),
                                    .south_pole = south};
}

void read_conic(Octets& section, GridDefinition& out) {
  const double first_parallel = section.s24(29) * kMilli;
  out.grid = ConicGrid{.first_latitude = section.s24(11) * kMilli,
                       .first_longitude = section.s24(14) * kMilli,
                       .true_latitude = first_parallel,
                       .orientation = section.s24(18) * kMilli,
                       .first_parallel = first_parallel,
                       .second_parallel = section.s24(32) * kMilli,
                       .dx = static_cast<double>(section.u24(21)),
                       .dy = static_cast<double>(section.u24(24)),
                       .equal_area = false};
}

/// The list of points per row behind the vertical coordinate values, where octet 5 says so.
void read_row_lengths(Octets& section, GridDefinition& out) {
  const std::size_t first = section.u8(5) + 4 * std::size_t{section.u8(4)};
  std::uint64_t sum = 0;
  out.row_lengths.resize(out.nj);
  for (std::size_t row = 0; row < out.nj; ++row) {
    out.row_lengths[row] = section.u16(first + 2 * row);
    sum += out.row_lengths[row];
  }
  if (std::get<LatLonGrid>(out.grid).gaussian_parallels > 0) sum = clip_rows(out);
  out.n_points = static_cast<std::uint32_t>(sum);  // at most 2^16 rows of 2^16 points
}

/// Reads the representation's own octets; false for one that places no points.
bool read_representation(Octets& section, GridDefinition& out) {
  switch (out.template_number) {
    case 0:
    case 4:
    case 10:
    case 14:
    case 20:
    case 24:
    case 30:
    case 34:
      read_lat_lon(section, out);
      return true;
    case 1:
      read_mercator(section, out);
      return true;
    case 3:
    case 13:
      read_conic(section, out);
      return true;
    case 5:
      read_polar_stereographic(section, out);
      return true;
    default:
      return false;
  }
}

}  // namespace

core::Result<Grib1Definition> parse_grib1_definition(std::span<const std::byte> section1) {
  constexpr std::size_t kLeastOctets = 28;
  Octets section(section1);
  if (section.size() < kLeastOctets) {
    return core::Error(core::ErrorCode::kCorrupt, "section 1 is too short");
  }
  Grib1Definition out;
  out.table_version = section.u8(4);
  out.centre = section.u8(5);
  out.subcentre = section.u8(26);
  out.has_grid = (section.u8(8) & 0x80U) != 0;
  out.has_bitmap = (section.u8(8) & 0x40U) != 0;
  out.decimal_scale = section.s16(27);
  out.reference_time = read_reference_time(section);

  auto& product = out.product;
  product.category = out.table_version;
  product.number = section.u8(9);
  product.generating_process = section.u8(6);
  product.first_surface.type = section.u8(10);
  if (is_layer(product.first_surface.type)) {
    product.second_surface.type = product.first_surface.type;
    product.first_surface.scaled_value = section.u8(11);
    product.second_surface.scaled_value = section.u8(12);
  } else {
    product.first_surface.scaled_value = section.u16(11);
  }
  read_times(section, product);
  read_local_use(section, out.centre, product);
  return out;
}

core::Result<GridDefinition> parse_grib1_grid(std::span<const std::byte> section2) {
  constexpr std::uint8_t kNoList = 255;
  Octets section(section2);
  GridDefinition out;
  out.edition = 1;
  out.template_number = section.u8(6);
  if (!section.whole()) return core::Error(core::ErrorCode::kCorrupt, "section 2 is too short");
  out.resolution_flags = section.u8(17);
  if (!read_representation(section, out)) return out;
  out.scan_mode = ScanMode{section.u8(28)};
  if ((out.resolution_flags & 0x40U) != 0) {
    out.earth = {2, 6378160, 6356775};
  } else {
    out.earth = {0, 6367470, 6367470};
  }
  constexpr std::uint16_t kMissing = 0xFFFF;
  const auto ni = section.u16(7);
  const auto nj = section.u16(9);
  out.ni = ni == kMissing ? 0 : ni;
  out.nj = nj == kMissing ? 0 : nj;
  const bool lat_lon = std::holds_alternative<LatLonGrid>(out.grid);
  if (out.ni == 0 && out.nj > 0 && section.u8(5) != kNoList && lat_lon) {
    read_row_lengths(section, out);
  } else {
    out.n_points = out.ni * out.nj;  // both below 2^16
  }
  if (!section.whole()) {
    return core::Error(core::ErrorCode::kCorrupt,
                       core::text("section 2 ends inside representation ", out.template_number));
  }
  return out;
}

}  // namespace icefield::grib
