#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "core/result.h"

namespace icefield::grib {

/// The figure of the earth of code table 3.2: a sphere when both axes are equal. Metres.
struct EarthShape {
  std::uint8_t code = 6;
  double semi_major = 6371229;
  double semi_minor = 6371229;
  friend bool operator==(const EarthShape&, const EarthShape&) = default;
};

/// Flag table 3.4 (scanning mode). Edition 1 has the first three flags in the same places.
struct ScanMode {
  std::uint8_t flags = 0;
  constexpr bool i_negative() const { return (flags & 0x80U) != 0; }     // points run westward
  constexpr bool j_positive() const { return (flags & 0x40U) != 0; }     // rows run northward
  constexpr bool j_consecutive() const { return (flags & 0x20U) != 0; }  // columns before rows
  constexpr bool alternating() const { return (flags & 0x10U) != 0; }    // every other row turns
  friend constexpr bool operator==(const ScanMode&, const ScanMode&) = default;
};

/// A pole moved to elsewhere (templates 3.1, 3.41, ...). Degrees.
struct Rotation {
  double south_pole_latitude = -90;
  double south_pole_longitude = 0;
  double angle = 0;
  friend bool operator==(const Rotation&, const Rotation&) = default;
};

/// A pole of stretching (templates 3.2, 3.3, 3.42, 3.43). Degrees; factor without unit.
struct Stretching {
  double pole_latitude = 0;
  double pole_longitude = 0;
  double factor = 1;
  friend bool operator==(const Stretching&, const Stretching&) = default;
};

/// Latitude/longitude and Gaussian grids, whole or reduced (3.0-3.3, 3.40-3.43). Degrees.
struct LatLonGrid {
  double first_latitude = 0;
  double first_longitude = 0;
  double last_latitude = 0;
  double last_longitude = 0;
  std::optional<double> i_increment;  // magnitude; absent: from first, last and count
  std::optional<double> j_increment;
  std::uint32_t gaussian_parallels = 0;  // N between pole and equator; 0: not Gaussian
  std::optional<Rotation> rotation;
  std::optional<Stretching> stretching;
  friend bool operator==(const LatLonGrid&, const LatLonGrid&) = default;
};

/// Plane grids: a projection, the first point and increments on the plane. Degrees and metres.
struct MercatorGrid {  // 3.10
  double first_latitude = 0;
  double first_longitude = 0;
  double true_latitude = 0;
  double last_latitude = 0;
  double last_longitude = 0;
  double orientation = 0;  // between the i direction and the equator
  double dx = 0;
  double dy = 0;
  friend bool operator==(const MercatorGrid&, const MercatorGrid&) = default;
};

struct PolarStereographicGrid {  // 3.20
  double first_latitude = 0;
  double first_longitude = 0;
  double true_latitude = 0;
  double orientation = 0;  // longitude of the meridian that points up
  double dx = 0;
  double dy = 0;
  bool south_pole = false;
  friend bool operator==(const PolarStereographicGrid&, const PolarStereographicGrid&) = default;
};

struct ConicGrid {  // 3.30 Lambert conformal, 3.31 Albers
  double first_latitude = 0;
  double first_longitude = 0;
  double true_latitude = 0;  // where dx and dy hold
  double orientation = 0;
  double first_parallel = 0;
  double second_parallel = 0;
  double dx = 0;
  double dy = 0;
  bool equal_area = false;  // Albers
  friend bool operator==(const ConicGrid&, const ConicGrid&) = default;
};

struct TransverseMercatorGrid {  // 3.12
  double reference_latitude = 0;
  double reference_longitude = 0;
  double scale = 1;
  double false_easting = 0;  // metres
  double false_northing = 0;
  double first_x = 0;  // metres
  double first_y = 0;
  double dx = 0;
  double dy = 0;
  friend bool operator==(const TransverseMercatorGrid&, const TransverseMercatorGrid&) = default;
};

struct LambertAzimuthalGrid {  // 3.140
  double first_latitude = 0;
  double first_longitude = 0;
  double centre_latitude = 0;
  double centre_longitude = 0;
  double dx = 0;
  double dy = 0;
  friend bool operator==(const LambertAzimuthalGrid&, const LambertAzimuthalGrid&) = default;
};

struct SpaceViewGrid {  // 3.90
  double sub_satellite_latitude = 0;
  double sub_satellite_longitude = 0;
  double diameter_x = 0;  // apparent diameter of the earth, grid lengths
  double diameter_y = 0;
  double centre_x = 0;  // grid position of the sub-satellite point
  double centre_y = 0;
  double orientation = 0;
  double altitude = 0;  // from the earth's centre, in units of the equatorial radius
  double origin_x = 0;  // grid position of the sector's first point
  double origin_y = 0;
  friend bool operator==(const SpaceViewGrid&, const SpaceViewGrid&) = default;
};

/// NCEP's rotated grid by first and centre point (3.32769, not staggered). Degrees.
struct NcepRotatedGrid {
  double first_latitude = 0;
  double first_longitude = 0;
  double centre_latitude = 0;
  double centre_longitude = 0;
  double di = 0;
  double dj = 0;
  double last_latitude = 0;
  double last_longitude = 0;
  friend bool operator==(const NcepRotatedGrid&, const NcepRotatedGrid&) = default;
};

struct HealpixGrid {  // 3.150
  std::uint32_t n_side = 0;
  bool nested = false;
  double first_longitude = 45;  // of the centre of the first base pixel, degrees
  friend bool operator==(const HealpixGrid&, const HealpixGrid&) = default;
};

/// A grid whose points the message does not place: unstructured, spectral, local templates.
struct UnplacedGrid {
  friend bool operator==(const UnplacedGrid&, const UnplacedGrid&) = default;
};

using GridTemplate = std::variant<UnplacedGrid, LatLonGrid, MercatorGrid, PolarStereographicGrid,
                                  ConicGrid, TransverseMercatorGrid, LambertAzimuthalGrid,
                                  SpaceViewGrid, NcepRotatedGrid, HealpixGrid>;

/// Section 3 (edition 1: section 2) as a value.
struct GridDefinition {
  std::uint8_t edition = 2;
  std::uint16_t template_number = 0xFFFF;  // 3.n; edition 1: data representation type
  std::uint32_t n_points = 0;              // octets 7-10; edition 1: from the template
  std::uint32_t ni = 0;                    // points along i; 0 where a row list or nothing says it
  std::uint32_t nj = 0;                    // points along j
  std::optional<ScanMode> scan_mode;       // absent where the template has none
  std::uint8_t resolution_flags = 0;       // flag table 3.3
  std::vector<std::uint32_t> row_lengths;  // points of each row of a reduced grid, as stored
  std::vector<std::uint32_t> row_circles;  // points of each row's whole circle, where that is more
  EarthShape earth;
  GridTemplate grid;

  /// True when the points form nj rows of ni.
  bool rectangular() const { return ni > 0 && nj > 0 && row_lengths.empty(); }
  friend bool operator==(const GridDefinition&, const GridDefinition&) = default;
};

/// Reads section 3 of edition 2, from its length octets on. A template that is not known gives an
/// UnplacedGrid. Counts that disagree (ni * nj, the row list's sum and n_points) are kCorrupt.
core::Result<GridDefinition> parse_grid(std::span<const std::byte> section3);

}  // namespace icefield::grib
