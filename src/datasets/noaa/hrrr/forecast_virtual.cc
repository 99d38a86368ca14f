#include "datasets/noaa/hrrr/forecast_virtual.h"

#include <chrono>

#include "dataset/source_file.h"
#include "dataset/virtual_config.h"
#include "dataset/well_formed.h"
#include "datasets/noaa/hrrr/grid.h"
#include "datasets/noaa/hrrr/source_files.h"
#include "datasets/noaa/hrrr/variables.h"
#include "datasets/templates.h"

namespace icefield::datasets::noaa::hrrr {
namespace {

using std::chrono::sys_days;
using namespace std::chrono_literals;  // NOLINT: literals are found in no other way

constexpr core::Timestamp kStart = sys_days(2018y / 7 / 13) + 12h;

// clang-format off
constexpr std::string_view kRootDims[] = {"init_time", "lead_time", "y", "x"};
constexpr std::string_view kPressureDims[] = {"init_time", "lead_time", "y", "x", "pressure_level"};
constexpr std::string_view kModelDims[] = {"init_time", "lead_time", "y", "x", "model_level"};
constexpr std::uint64_t kRootChunks[] = {1, 1, kRows, kColumns};  // one message
constexpr std::uint64_t kLevelChunks[] = {1, 1, kRows, kColumns, 1};

constexpr dataset::Group kGroups[] = {
    {"",               kRootDims,     kRootChunks,  {}},
    {"pressure_level", kPressureDims, kLevelChunks, {}},
    {"model_level",    kModelDims,    kLevelChunks, {}},
};

constexpr dataset::Attribute kInitTime[] = {
    {"long_name", "Forecast initialization time"},
    {"standard_name", "forecast_reference_time"},
    {"statistics_approximate", dataset::Range{"2018-07-13T12:00:00", "Present"}},
};

constexpr std::string_view kInitDim[] = {"init_time"}, kLeadDim[] = {"lead_time"}, kYDim[] = {"y"},
                           kXDim[] = {"x"}, kPressureDim[] = {"pressure_level"},
                           kModelDim[] = {"model_level"}, kValidDims[] = {"init_time", "lead_time"},
                           kGridDims[] = {"y", "x"};

/// What depends on how far a forecast runs.
struct Lengths {
  dataset::LeadRun run[1] = {};
  dataset::Attribute lead_time[3] = {};
  dataset::Attribute valid_time[3] = {};
  dataset::Attribute expected_length[2] = {};
};

constexpr Lengths k48Hours{
    {{0h, 48h, 1h}},
    {{"long_name", "Forecast lead time"},
     {"standard_name", "forecast_period"},
     {"statistics_approximate", dataset::Range{"0 days 00:00:00", "2 days 00:00:00"}}},
    {{"long_name", "Valid time"},
     {"standard_name", "time"},
     {"statistics_approximate", dataset::Range{"2018-07-13T12:00:00", "Present + 48 hours"}}},
    {{"long_name", "Expected forecast length"},
     {"statistics_approximate", dataset::Range{"1 days 12:00:00", "2 days 00:00:00"}}},
};
constexpr Lengths k18Hours{
    {{0h, 18h, 1h}},
    {{"long_name", "Forecast lead time"},
     {"standard_name", "forecast_period"},
     {"statistics_approximate", dataset::Range{"0 days 00:00:00", "0 days 18:00:00"}}},
    {{"long_name", "Valid time"},
     {"standard_name", "time"},
     {"statistics_approximate", dataset::Range{"2018-07-13T12:00:00", "Present + 18 hours"}}},
    {{"long_name", "Expected forecast length"},
     {"statistics_approximate", dataset::Range{"0 days 18:00:00", "0 days 18:00:00"}}},
};

template <const Lengths& lengths>
constexpr dataset::Dimension kDimensions[] = {
    {"init_time",      dataset::AppendAxis{}},
    {"lead_time",      dataset::LeadAxis{lengths.run}},
    {"y",              kY},
    {"x",              kX},
    {"pressure_level", dataset::LabelAxis{kPressureLevels}},
    {"model_level",    dataset::LabelAxis{kModelLevels}},
};

using enum dataset::CoordinateType;
using enum dataset::Derivation;
template <const Lengths& lengths>
constexpr dataset::Coordinate kCoordinates[] = {
    // name                      dims          stored as   values                   attributes
    {"init_time",                kInitDim,     kTimestamp, kDimension,              kInitTime},
    {"lead_time",                kLeadDim,     kDuration,  kDimension,              lengths.lead_time},
    {"y",                        kYDim,        kFloat64,   kDimension,              kYAttributes},
    {"x",                        kXDim,        kFloat64,   kDimension,              kXAttributes},
    {"pressure_level",           kPressureDim, kInt64,     kDimension,              kPressureLevelAttributes},
    {"model_level",              kModelDim,    kInt64,     kDimension,              kModelLevelAttributes},
    {"valid_time",               kValidDims,   kTimestamp, kValidTime,              lengths.valid_time},
    {"expected_forecast_length", kInitDim,     kDuration,  kExpectedForecastLength, lengths.expected_length},
    {"latitude",                 kGridDims,    kFloat32,   kLatitude,               kLatitudeAttributes},
    {"longitude",                kGridDims,    kFloat32,   kLongitude,              kLongitudeAttributes},
    {"spatial_ref",              {},           kCrs,       kConstantZero,           kSpatialRefAttributes},
};

constexpr dataset::ForecastLength k48HourEras[] = {
    {kStart,                            36h},
    {sys_days(2020y / 12 / 2) + 12h,    48h},
};
constexpr dataset::ForecastLength k18HourEras[] = {
    {kStart, 18h},
};

constexpr dataset::Container kContainers[] = {
    {"noaa-hrrr-bdp-pds", "s3://noaa-hrrr-bdp-pds/", dataset::ContainerKind::kS3, "us-east-1"},
};
constexpr dataset::ManifestSplit k48HourSplit[] = {
    {"^/pressure_level/", "init_time", 90},
    {"^/model_level/",    "init_time", 80},
    {"",                  "init_time", 600},
};
constexpr dataset::ManifestSplit k18HourSplit[] = {
    {"^/pressure_level/", "init_time", 225},
    {"^/model_level/",    "init_time", 200},
    {"",                  "init_time", 1500},
};
constexpr dataset::VirtualConfig k48HourConfig{kContainers, k48HourSplit, 14h};
constexpr dataset::VirtualConfig k18HourConfig{kContainers, k18HourSplit, 6h};
// clang-format on

constexpr dataset::VirtualSource kSource{
    .file_types = kFileTypes,
    .generate_source_file_coords = generate_source_file_coords,
    .get_url = get_url,
    .get_index_url = get_index_url,
    .variables_in = variables_in,
    .wanted_messages = wanted_messages,
    .representative_var = nullptr,
};

/// What both forecasts share.
constexpr dataset::DatasetSpec kShared{
    .kind = dataset::DatasetKind::kVirtual,
    .attributes =
        {
            .description = "Weather forecasts from the High-Resolution Rapid Refresh (HRRR) model "
                           "operated by NOAA NWS NCEP.",
            .attribution = "NOAA NWS NCEP HRRR data processed by dynamical.org from NOAA Open "
                           "Data Dissemination archives.",
            .license = "CC-BY-4.0",
            .spatial_domain = "Continental United States",
            .spatial_resolution = "3 km",
            .time_domain = "Forecasts initialized 2018-07-13 12:00:00 UTC to Present",
            .forecast_resolution = "Hourly",
        },
    .append_start = kStart,
    .groups = kGroups,
    .variables = kVariables,
    .projection = {kProjection},
    .primary_base = "s3://dynamical-noaa-hrrr",
    .virtual_source = &kSource,
};

constexpr dataset::DatasetSpec make_48_hour() {
  dataset::DatasetSpec spec = kShared;
  spec.id = "noaa-hrrr-forecast-48-hour-virtual";
  spec.version = "0.5.0";
  spec.attributes.name = "NOAA HRRR forecast, 48 hour, virtual";
  spec.attributes.time_resolution = "Forecasts initialized every 6 hours";
  spec.attributes.forecast_domain = "Forecast lead time 0-48 hours ahead";
  spec.append_every = 6h;
  spec.dimensions = kDimensions<k48Hours>;
  spec.coordinates = kCoordinates<k48Hours>;
  spec.forecast_lengths = k48HourEras;
  spec.virtual_config = &k48HourConfig;
  spec.checked_in_template = templates::noaa_hrrr_forecast_48_hour_virtual;
  return spec;
}

constexpr dataset::DatasetSpec make_18_hour() {
  dataset::DatasetSpec spec = kShared;
  spec.id = "noaa-hrrr-forecast-18-hour-virtual";
  spec.version = "0.1.0";
  spec.attributes.name = "NOAA HRRR forecast, 18 hour, virtual";
  spec.attributes.time_resolution = "Forecasts initialized every hour";
  spec.attributes.forecast_domain = "Forecast lead time 0-18 hours ahead";
  spec.append_every = 1h;
  spec.dimensions = kDimensions<k18Hours>;
  spec.coordinates = kCoordinates<k18Hours>;
  spec.forecast_lengths = k18HourEras;
  spec.virtual_config = &k18HourConfig;
  spec.checked_in_template = templates::noaa_hrrr_forecast_18_hour_virtual;
  return spec;
}

static_assert(dataset::well_formed(make_48_hour()));
static_assert(dataset::well_formed(make_18_hour()));

}  // namespace

constinit const dataset::DatasetSpec kForecast48HourVirtual = make_48_hour();
constinit const dataset::DatasetSpec kForecast18HourVirtual = make_18_hour();

}  // namespace icefield::datasets::noaa::hrrr
