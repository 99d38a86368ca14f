#include "sample_source/provider.h"

namespace icefield::sample_source {
namespace {

// clang-format off
constexpr std::string_view kHrrrFew[] = {
    "composite_reflectivity",
    "echo_top",
    "visibility_surface",
    "wind_gust_surface",
    "maximum_upward_vertical_velocity_100_1000mb",
    "pressure_reduced_to_mean_sea_level",
    "wind_u_10m",
    "wind_v_10m",
    "temperature_2m",
    "relative_humidity_2m",
    "moisture_availability_0m_underground",
    "percent_frozen_precipitation_surface",
    "total_precipitation_run_total_surface",
    "total_precipitation_surface",
    "categorical_rain_surface",
    "geopotential_height_cloud_ceiling",
    "geopotential_height_cloud_base",
    "pressure_cloud_top",
    "brightness_temperature_channel_123",
    "pressure_level/temperature",
    "pressure_level/dew_point_temperature",
    "pressure_level/geopotential_height",
    "pressure_level/relative_humidity",
    "model_level/temperature",
    "model_level/specific_humidity",
    "model_level/pressure",
};

constexpr ExtraMessage kHrrrExtra[] = {
    {"sfc", "UGRD", "250 mb"},
    {"sfc", "VGRD", "250 mb"},
    {"sfc", "UGRD", "300 mb"},
    {"sfc", "VGRD", "300 mb"},
    {"sfc", "HGT", "500 mb"},
    {"sfc", "TMP", "500 mb"},
    {"sfc", "DPT", "500 mb"},
    {"sfc", "UGRD", "500 mb"},
    {"sfc", "VGRD", "500 mb"},
    {"sfc", "HGT", "700 mb"},
    {"sfc", "TMP", "700 mb"},
    {"sfc", "DPT", "700 mb"},
    {"sfc", "DZDT", "700 mb"},
    {"sfc", "UGRD", "700 mb"},
    {"sfc", "VGRD", "700 mb"},
    {"sfc", "HGT", "850 mb"},
    {"sfc", "TMP", "850 mb"},
    {"sfc", "DPT", "850 mb"},
    {"sfc", "UGRD", "850 mb"},
    {"sfc", "VGRD", "850 mb"},
    {"sfc", "TMP", "925 mb"},
    {"sfc", "DPT", "925 mb"},
    {"sfc", "UGRD", "925 mb"},
    {"sfc", "VGRD", "925 mb"},
    {"sfc", "TMP", "1000 mb"},
    {"sfc", "DPT", "1000 mb"},
    {"sfc", "UGRD", "1000 mb"},
    {"sfc", "VGRD", "1000 mb"},
    {"sfc", "HGT", "1000 mb"},
    {"sfc", "CFNSF", "surface"},
    {"sfc", "var discipline=0 center=7 local_table=1 parmcat=16 parm=201", "entire atmosphere"},
    {"prs", "TMP", "1013.2 mb"},
    {"prs", "REFC", "entire atmosphere"},
    {"prs", "HGT", "1013.2 mb"},
    {"prs", "RH", "1013.2 mb"},
    {"prs", "DPT", "1013.2 mb"},
    {"prs", "SPFH", "1013.2 mb"},
    {"prs", "VVEL", "1013.2 mb"},
    {"prs", "UGRD", "1013.2 mb"},
    {"prs", "VGRD", "1013.2 mb"},
    {"prs", "ABSV", "1013.2 mb"},
    {"prs", "CLMR", "1013.2 mb"},
    {"prs", "CIMIXR", "1013.2 mb"},
    {"prs", "RWMR", "1013.2 mb"},
    {"prs", "SNMR", "1013.2 mb"},
    {"prs", "GRLE", "1013.2 mb"},
    {"prs", "MSLMA", "mean sea level"},
    {"prs", "PRES", "surface"},
    {"prs", "TMP", "2 m above ground"},
    {"nat", "MSLMA", "mean sea level"},
    {"nat", "REFC", "entire atmosphere"},
    {"nat", "PRES", "surface"},
    {"nat", "TMP", "2 m above ground"},
    {"nat", "UGRD", "10 m above ground"},
    {"nat", "VGRD", "10 m above ground"},
};

constexpr Provider kProviders[] = {
    {"noaa-hrrr-forecast-48-hour-virtual", kHrrrFew, kHrrrExtra},
    {"noaa-hrrr-forecast-18-hour-virtual", kHrrrFew, kHrrrExtra},
};
// clang-format on

}  // namespace

const Provider* find_provider(std::string_view dataset_id) {
  for (const auto& provider : kProviders) {
    if (provider.dataset_id == dataset_id) return &provider;
  }
  return nullptr;
}

std::string provided_datasets() {
  std::string ids;
  for (const auto& provider : kProviders) {
    if (!ids.empty()) ids += ", ";
    ids += provider.dataset_id;
  }
  return ids;
}

}  // namespace icefield::sample_source
