#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "dataset/axis.h"
#include "dataset/coordinate.h"

/// The HRRR grid: Lambert conformal conic on a sphere, 1059 rows of 1799 cells of 3000 m, row 0
/// north; the levels of the vertical groups; the coordinates that do not depend on the forecast.
namespace icefield::datasets::noaa::hrrr {

inline constexpr std::uint64_t kRows = 1059;
inline constexpr std::uint64_t kColumns = 1799;
inline constexpr std::string_view kProjection =
    "+proj=lcc +lat_0=38.5 +lon_0=-97.5 +lat_1=38.5 +lat_2=38.5 +x_0=0 +y_0=0 +R=6371229 "
    "+units=m";

// Centres of the first cells; the corner is half a cell north-west.
inline constexpr dataset::LinearAxis kY{1586693.847443335, -3000, kRows};
inline constexpr dataset::LinearAxis kX{-2697520.142521929, 3000, kColumns};

/// count labels first, first + step, ...
template <std::size_t count>
constexpr std::array<std::int64_t, count> levels(std::int64_t first, std::int64_t step) {
  std::array<std::int64_t, count> labels{};
  for (std::size_t i = 0; i < count; ++i) labels[i] = first + step * static_cast<std::int64_t>(i);
  return labels;
}
inline constexpr auto kPressureLevels = levels<39>(1000, -25);  // hPa; 1013.2 mb is not one of them
inline constexpr auto kModelLevels = levels<50>(1, 1);

inline constexpr std::string_view kWkt =
    "PROJCS[\"unnamed\",GEOGCS[\"Coordinate System imported from GRIB file\",DATUM[\"unnamed\","
    "SPHEROID[\"Sphere\",6371229,0]],PRIMEM[\"Greenwich\",0],UNIT[\"degree\","
    "0.0174532925199433,AUTHORITY[\"EPSG\",\"9122\"]]],"
    "PROJECTION[\"Lambert_Conformal_Conic_2SP\"],PARAMETER[\"latitude_of_origin\",38.5],"
    "PARAMETER[\"central_meridian\",-97.5],PARAMETER[\"standard_parallel_1\",38.5],"
    "PARAMETER[\"standard_parallel_2\",38.5],PARAMETER[\"false_easting\",0],"
    "PARAMETER[\"false_northing\",0],UNIT[\"Metre\",1],AXIS[\"Easting\",EAST],"
    "AXIS[\"Northing\",NORTH]]";

// clang-format off
inline constexpr double kStandardParallels[] = {38.5, 38.5};
inline constexpr dataset::Attribute kSpatialRefAttributes[] = {
    {"crs_wkt", kWkt},
    {"semi_major_axis", 6371229.0},
    {"semi_minor_axis", 6371229.0},
    {"inverse_flattening", 0.0},
    {"reference_ellipsoid_name", "Sphere"},
    {"longitude_of_prime_meridian", 0.0},
    {"prime_meridian_name", "Greenwich"},
    {"geographic_crs_name", "Coordinate System imported from GRIB file"},
    {"horizontal_datum_name", "unnamed"},
    {"grid_mapping_name", "lambert_conformal_conic"},
    {"spatial_ref", kWkt},
    {"GeoTransform", "-2699020.142521929 3000.0 0.0 1588193.847443335 0.0 -3000.0"},
    {"false_easting", 0.0},
    {"false_northing", 0.0},
    {"latitude_of_projection_origin", 38.5},
    {"longitude_of_central_meridian", -97.5},
    {"projected_crs_name", "unnamed"},
    {"standard_parallel", kStandardParallels},
};
inline constexpr dataset::Attribute kXAttributes[] = {
    {"long_name", "X coordinate of projection"},
    {"standard_name", "projection_x_coordinate"},
    {"axis", "X"},
    {"units", "m"},
    {"statistics_approximate", dataset::Range{-2700000.0, 2700000.0}},
};
inline constexpr dataset::Attribute kYAttributes[] = {
    {"long_name", "Y coordinate of projection"},
    {"standard_name", "projection_y_coordinate"},
    {"axis", "Y"},
    {"units", "m"},
    {"statistics_approximate", dataset::Range{-1600000.0, 1600000.0}},
};
inline constexpr dataset::Attribute kLatitudeAttributes[] = {
    {"long_name", "Latitude"},
    {"standard_name", "latitude"},
    {"units", "degree_north"},
    {"statistics_approximate", dataset::Range{21.138123, 52.615653}},
};
inline constexpr dataset::Attribute kLongitudeAttributes[] = {
    {"long_name", "Longitude"},
    {"standard_name", "longitude"},
    {"units", "degree_east"},
    {"statistics_approximate", dataset::Range{-134.09548, -60.917192}},
};
inline constexpr dataset::Attribute kPressureLevelAttributes[] = {
    {"long_name", "Pressure level"},
    {"standard_name", "air_pressure"},
    {"axis", "Z"},
    {"positive", "down"},
    {"units", "hPa"},
    {"statistics_approximate", dataset::Range{std::int64_t{50}, std::int64_t{1000}}},
};
inline constexpr dataset::Attribute kModelLevelAttributes[] = {
    {"long_name", "Hybrid model level number"},
    {"standard_name", "model_level_number"},
    {"axis", "Z"},
    {"positive", "up"},
    {"units", "1"},
    {"statistics_approximate", dataset::Range{std::int64_t{1}, std::int64_t{50}}},
};
// clang-format on

}  // namespace icefield::datasets::noaa::hrrr
