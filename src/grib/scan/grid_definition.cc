#include "grib/scan/grid_definition.h"

#include <bit>
#include <cmath>
#include <numeric>

#include "core/text.h"
#include "grib/internal/octets.h"
#include "grib/internal/row_clip.h"

namespace icefield::grib {
namespace {

constexpr double kMicro = 1e-6;
constexpr double kMilli = 1e-3;

double scaled(std::uint8_t factor, std::uint32_t value) {
  const int exponent = (factor & 0x80U) != 0 ? -static_cast<int>(factor & 0x7FU) : factor;
  return static_cast<double>(value) / std::pow(10.0, exponent);
}

/// Code table 3.2 and the octets 16-30 that most templates begin with.
EarthShape read_earth(Octets& section) {
  EarthShape earth;
  earth.code = section.u8(15);
  const auto sphere = [&](double radius) { earth.semi_major = earth.semi_minor = radius; };
  const auto ellipsoid = [&](double major, double minor) {
    earth.semi_major = major;
    earth.semi_minor = minor;
  };
  switch (earth.code) {
    case 0:
      sphere(6367470);
      break;
    case 1:
      sphere(scaled(section.u8(16), section.u32(17)));
      break;
    case 2:
      ellipsoid(6378160, 6356775);
      break;
    case 3:
      ellipsoid(1000 * scaled(section.u8(21), section.u32(22)),
                1000 * scaled(section.u8(26), section.u32(27)));
      break;
    case 4:
      ellipsoid(6378137, 6356752.314);
      break;
    case 5:
      ellipsoid(6378137, 6356752.3142);
      break;
    case 7:
      ellipsoid(scaled(section.u8(21), section.u32(22)), scaled(section.u8(26), section.u32(27)));
      break;
    case 8:
      sphere(6371200);
      break;
    case 9:
      ellipsoid(6377563.396, 6356256.909);
      break;
    default:
      sphere(6371229);
      break;
  }
  return earth;
}

/// Reads the angles of a template in its own unit: 10^-6 degree, or basic angle / subdivisions.
class Angles {
 public:
  explicit Angles(Octets& section) : section_(section) {
    const auto basic = section.u32(39);
    const auto subdivisions = section.u32(43);
    const bool usual =
        basic == 0 || basic == 0xFFFFFFFFU || subdivisions == 0 || subdivisions == 0xFFFFFFFFU;
    divisor_ = usual ? 1e6 : static_cast<double>(subdivisions) / static_cast<double>(basic);
  }
  double at(std::size_t octet) { return section_.s32(octet) / divisor_; }
  std::optional<double> present(std::size_t octet) {
    const auto value = section_.present_u32(octet);
    if (!value || *value == 0) return std::nullopt;
    return static_cast<double>(*value) / divisor_;
  }

 private:
  Octets& section_;
  double divisor_ = 1e6;
};

std::uint32_t count_at(Octets& section, std::size_t octet) {
  return section.present_u32(octet).value_or(0);
}

/// 3.0-3.3 and 3.40-3.43: rotation and stretching follow the common part.
void read_lat_lon(Octets& section, GridDefinition& out) {
  Angles angles(section);
  const bool gaussian = out.template_number >= 40;
  const int kind = out.template_number % 10;
  LatLonGrid grid;
  out.resolution_flags = section.u8(55);
  grid.first_latitude = angles.at(47);
  grid.first_longitude = angles.at(51);
  grid.last_latitude = angles.at(56);
  grid.last_longitude = angles.at(60);
  if ((out.resolution_flags & 0x20U) != 0) grid.i_increment = angles.present(64);
  if (gaussian) {
    grid.gaussian_parallels = section.u32(68);
  } else if ((out.resolution_flags & 0x10U) != 0) {
    grid.j_increment = angles.present(68);
  }
  out.scan_mode = ScanMode{section.u8(72)};
  std::size_t at = 73;
  if (kind == 1 || kind == 3) {
    const double angle = std::bit_cast<float>(section.u32(at + 8));
    grid.rotation = Rotation{angles.at(at), angles.at(at + 4), angle};
    at += 12;
  }
  if (kind == 2 || kind == 3) {
    grid.stretching = Stretching{angles.at(at), angles.at(at + 4), section.u32(at + 8) * kMicro};
  }
  out.grid = grid;
}

void read_mercator(Octets& section, GridDefinition& out) {
  out.resolution_flags = section.u8(47);
  out.scan_mode = ScanMode{section.u8(60)};
  out.grid = MercatorGrid{.first_latitude = section.s32(39) * kMicro,
                          .first_longitude = section.s32(43) * kMicro,
                          .true_latitude = section.s32(48) * kMicro,
                          .last_latitude = section.s32(52) * kMicro,
                          .last_longitude = section.s32(56) * kMicro,
                          .orientation = section.u32(61) * kMicro,
                          .dx = section.u32(65) * kMilli,
                          .dy = section.u32(69) * kMilli};
}

void read_transverse_mercator(Octets& section, GridDefinition& out) {
  constexpr double kCenti = 1e-2;
  out.resolution_flags = section.u8(47);
  out.scan_mode = ScanMode{section.u8(60)};
  out.grid = TransverseMercatorGrid{.reference_latitude = section.s32(39) * kMicro,
                                    .reference_longitude = section.s32(43) * kMicro,
                                    .scale = std::bit_cast<float>(section.u32(48)),
                                    .false_easting = section.s32(52) * kCenti,
                                    .false_northing = section.s32(56) * kCenti,
                                    .first_x = section.s32(69) * kCenti,
                                    .first_y = section.s32(73) * kCenti,
                                    .dx = section.u32(61) * kCenti,
                                    .dy = section.u32(65) * kCenti};
}

void read_polar_stereographic(Octets& section, GridDefinition& out) {
  out.resolution_flags = section.u8(47);
  out.scan_mode = ScanMode{section.u8(65)};
  out.grid = PolarStereographicGrid{.first_latitude = section.s32(39) * kMicro,
                                    .first_longitude = section.s32(43) * kMicro,
                                    .true_latitude = section.s32(48) * kMicro,
                                    .orientation = section.s32(52) * kMicro,
                                    .dx = section.u32(56) * kMilli,
                                    .dy = section.u32(60) * kMilli,
                                    .south_pole = (section.u8(64) & 0x80U) != 0};
}

void read_conic(Octets& section, GridDefinition& out) {
  out.resolution_flags = section.u8(47);
  out.scan_mode = ScanMode{section.u8(65)};
  out.grid = ConicGrid{.first_latitude = section.s32(39) * kMicro,
                       .first_longitude = section.s32(43) * kMicro,
                       .true_latitude = section.s32(48) * kMicro,
                       .orientation = section.s32(52) * kMicro,
                       .first_parallel = section.s32(66) * kMicro,
                       .second_parallel = section.s32(70) * kMicro,
                       .dx = section.u32(56) * kMilli,
                       .dy = section.u32(60) * kMilli,
                       .equal_area = out.template_number == 31};
}

void read_lambert_azimuthal(Octets& section, GridDefinition& out) {
  out.resolution_flags = section.u8(55);
  out.scan_mode = ScanMode{section.u8(64)};
  out.grid = LambertAzimuthalGrid{.first_latitude = section.s32(39) * kMicro,
                                  .first_longitude = section.s32(43) * kMicro,
                                  .centre_latitude = section.s32(47) * kMicro,
                                  .centre_longitude = section.s32(51) * kMicro,
                                  .dx = section.u32(56) * kMilli,
                                  .dy = section.u32(60) * kMilli};
}

void read_space_view(Octets& section, GridDefinition& out) {
  out.resolution_flags = section.u8(47);
  out.scan_mode = ScanMode{section.u8(64)};
  out.grid = SpaceViewGrid{.sub_satellite_latitude = section.s32(39) * kMicro,
                           .sub_satellite_longitude = section.s32(43) * kMicro,
                           .diameter_x = static_cast<double>(section.u32(48)),
                           .diameter_y = static_cast<double>(section.u32(52)),
                           .centre_x = section.u32(56) * kMilli,
                           .centre_y = section.u32(60) * kMilli,
                           .orientation = section.s32(65) * kMicro,
                           .altitude = section.u32(69) * kMicro,
                           .origin_x = static_cast<double>(section.u32(73)),
                           .origin_y = static_cast<double>(section.u32(77))};
}

void read_ncep_rotated(Octets& section, GridDefinition& out) {
  out.resolution_flags = section.u8(55);
  out.scan_mode = ScanMode{section.u8(72)};
  out.grid = NcepRotatedGrid{.first_latitude = section.s32(47) * kMicro,
                             .first_longitude = section.s32(51) * kMicro,
                             .centre_latitude = section.s32(56) * kMicro,
                             .centre_longitude = section.s32(60) * kMicro,
                             .di = section.u32(64) * kMicro,
                             .dj = section.u32(68) * kMicro,
                             .last_latitude = section.s32(73) * kMicro,
                             .last_longitude = section.s32(77) * kMicro};
}

void read_healpix(Octets& section, GridDefinition& out) {
  out.resolution_flags = section.u8(31);
  out.grid = HealpixGrid{.n_side = section.u32(32),
                         .nested = section.u8(41) == 1,
                         .first_longitude = section.s32(36) * kMicro};
}

/// Reads the template's own octets; false for a template that places no points.
bool read_template(Octets& section, GridDefinition& out) {
  switch (out.template_number) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 40:
    case 41:
    case 42:
    case 43:
      read_lat_lon(section, out);
      break;
    case 10:
      read_mercator(section, out);
      break;
    case 12:
      read_transverse_mercator(section, out);
      break;
    case 20:
      read_polar_stereographic(section, out);
      break;
    case 30:
    case 31:
      read_conic(section, out);
      break;
    case 90:
      read_space_view(section, out);
      break;
    case 140:
      read_lambert_azimuthal(section, out);
      break;
    case 32769:
      read_ncep_rotated(section, out);
      break;
    case 110:
      out.scan_mode = ScanMode{section.u8(57)};
      break;  // equatorial azimuthal: no places
    case 32768:
      out.scan_mode = ScanMode{section.u8(72)};
      break;  // staggered: no places
    case 150:
      read_healpix(section, out);
      return true;
    default:
      return false;
  }
  out.ni = count_at(section, 31);
  out.nj = count_at(section, 35);
  return true;
}

/// The list of points per row that follows the template of a reduced grid.
core::Status read_row_lengths(Octets& section, unsigned octets_per_number, GridDefinition& out) {
  const std::size_t rows = out.nj;
  if (octets_per_number > 4 || rows == 0 || rows * octets_per_number >= section.size()) {
    return core::Error(core::ErrorCode::kCorrupt, "section 3 is shorter than its list of rows");
  }
  const auto first = section.size() - rows * octets_per_number + 1;
  out.row_lengths.resize(rows);
  std::uint64_t sum = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    std::uint32_t length = 0;
    for (unsigned octet = 0; octet < octets_per_number; ++octet) {
      length = (length << 8U) | section.u8(first + row * octets_per_number + octet);
    }
    out.row_lengths[row] = length;
    sum += length;
  }
  const auto* area = std::get_if<LatLonGrid>(&out.grid);
  if (sum != out.n_points && area != nullptr && area->gaussian_parallels > 0) sum = clip_rows(out);
  if (sum != out.n_points) {
    return core::Error(core::ErrorCode::kCorrupt,
                       core::text("rows hold ", sum, " points, section 3 says ", out.n_points));
  }
  out.ni = 0;
  return {};
}

}  // namespace

core::Result<GridDefinition> parse_grid(std::span<const std::byte> section3) {
  Octets section(section3);
  GridDefinition out;
  out.n_points = section.u32(7);
  const unsigned octets_per_number = section.u8(11);
  out.template_number = section.u16(13);
  if (!section.whole()) return core::Error(core::ErrorCode::kCorrupt, "section 3 is too short");
  const bool predefined = section.u8(6) != 0;
  if (predefined || !read_template(section, out)) return out;
  out.earth = read_earth(section);
  if (!section.whole()) {
    return core::Error(core::ErrorCode::kCorrupt,
                       core::text("section 3 ends inside template 3.", out.template_number));
  }
  if (octets_per_number != 0) {
    TRY(read_row_lengths(section, octets_per_number, out));
  } else if (out.ni > 0 && out.nj > 0 && std::uint64_t{out.ni} * out.nj != out.n_points) {
    return core::Error(
        core::ErrorCode::kCorrupt,
        core::text("grid of ", out.ni, " x ", out.nj, " points, section 3 says ", out.n_points));
  }
  return out;
}

}  // namespace icefield::grib
