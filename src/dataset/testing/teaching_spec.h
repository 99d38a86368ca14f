#pragma once

#include <chrono>

#include "dataset/source_file.h"
#include "dataset/spec.h"
#include "dataset/well_formed.h"

/// Two small datasets for tests: a virtual forecast with a vertical group, a sharded analysis.
namespace icefield::dataset::teaching {

using namespace std::chrono_literals;  // NOLINT: literals are found in no other way

inline constexpr Quantity kWind{"wind_2m", "2 metre wind", "w", "wind_speed", "m s-1"};
inline constexpr Quantity kRain{"rain_surface", "Rain", "r", "", "kg m-2"};
inline constexpr Quantity kHeat{"temperature", "Temperature", "t", "air_temperature", "K"};

inline constexpr LeadRun kRuns[] = {{0h, 3h, 1h}, {3h, 9h, 3h}};
inline constexpr std::int64_t kLevels[] = {1000, 500};
inline constexpr Dimension kDimensions[] = {
    {"init_time", AppendAxis{}},
    {"lead_time", LeadAxis{kRuns}},
    {"y", LinearAxis{4.5, -3, 4}},
    {"x", LinearAxis{-1.5, 3, 2}},
    {"pressure_level", LabelAxis{kLevels}},
};
inline constexpr std::string_view kRootDims[] = {"init_time", "lead_time", "y", "x"};
inline constexpr std::string_view kLevelDims[] = {"init_time", "lead_time", "y", "x",
                                                  "pressure_level"};
inline constexpr std::uint64_t kChunks[] = {1, 1, 4, 2};
inline constexpr std::uint64_t kLevelChunks[] = {1, 1, 4, 2, 1};
inline constexpr Group kGroups[] = {{"", kRootDims, kChunks},
                                    {"pressure_level", kLevelDims, kLevelChunks}};

inline constexpr std::string_view kInitDim[] = {"init_time"};
inline constexpr std::string_view kLeadDim[] = {"lead_time"};
inline constexpr std::string_view kYDim[] = {"y"};
inline constexpr std::string_view kXDim[] = {"x"};
inline constexpr std::string_view kPressureDim[] = {"pressure_level"};
inline constexpr std::string_view kValidDims[] = {"init_time", "lead_time"};
inline constexpr Coordinate kCoordinates[] = {
    {"init_time", kInitDim, CoordinateType::kTimestamp},
    {"lead_time", kLeadDim, CoordinateType::kDuration},
    {"y", kYDim, CoordinateType::kFloat64},
    {"x", kXDim, CoordinateType::kFloat64},
    {"pressure_level", kPressureDim, CoordinateType::kInt64},
    {"valid_time", kValidDims, CoordinateType::kTimestamp, Derivation::kValidTime},
    {"expected_forecast_length", kInitDim, CoordinateType::kDuration,
     Derivation::kExpectedForecastLength},
    {"ingested_forecast_length", kInitDim, CoordinateType::kDuration, Derivation::kReserved},
    {"spatial_ref", {}, CoordinateType::kCrs, Derivation::kConstantZero},
};
inline constexpr Variable kVariables[] = {
    {&kRain, StepType::kAccum, {"APCP", "surface", 0, kForever}},
    {&kWind, StepType::kInstant, {"WIND", "2 m above ground", 0}},
    {&kHeat, StepType::kInstant, {"TMP", "{level} mb", 1}, 1},
};
inline constexpr ForecastLength kLengths[] = {
    {std::chrono::sys_days(2020y / 1 / 1), 6h},
    {std::chrono::sys_days(2020y / 1 / 2), 9h},
};
inline constexpr Container kContainers[] = {
    {"bucket", "s3://bucket/", ContainerKind::kS3, "us-east-1"},
    {"inner", "s3://bucket/inner/", ContainerKind::kS3, "us-east-1"},
};
inline constexpr ManifestSplit kSplit[] = {{"", "init_time", 100}};
inline constexpr VirtualConfig kVirtualConfig{kContainers, kSplit, 12h};
inline constexpr std::string_view kFileTypes[] = {"sfc", "prs"};
inline constexpr VirtualSource kVirtualSource{.file_types = kFileTypes,
                                              .generate_source_file_coords = nullptr,
                                              .get_url = nullptr,
                                              .get_index_url = nullptr,
                                              .variables_in = nullptr,
                                              .wanted_messages = nullptr,
                                              .representative_var = nullptr};

inline constexpr DatasetSpec kForecast{
    .id = "teaching-forecast-virtual",
    .version = "0.1.0",
    .kind = DatasetKind::kVirtual,
    .attributes = {.name = "Teaching forecast, virtual", .license = "CC-BY-4.0"},
    .append_start = std::chrono::sys_days(2020y / 1 / 1),
    .append_every = 6h,
    .dimensions = kDimensions,
    .groups = kGroups,
    .coordinates = kCoordinates,
    .variables = kVariables,
    .forecast_lengths = kLengths,
    .virtual_config = &kVirtualConfig,
    .virtual_source = &kVirtualSource,
};
static_assert(well_formed(kForecast));

inline constexpr Dimension kAnalysisDimensions[] = {
    {"time", AppendAxis{}}, {"y", LinearAxis{4.5, -3, 4}}, {"x", LinearAxis{-1.5, 3, 2}}};
inline constexpr std::string_view kAnalysisDims[] = {"time", "y", "x"};
inline constexpr std::string_view kTimeDim[] = {"time"};
inline constexpr std::uint64_t kAnalysisChunks[] = {24, 2, 2};
inline constexpr std::uint64_t kAnalysisShards[] = {48, 4, 2};
inline constexpr Group kAnalysisGroups[] = {{"", kAnalysisDims, kAnalysisChunks, kAnalysisShards}};
inline constexpr Coordinate kAnalysisCoordinates[] = {
    {"time", kTimeDim, CoordinateType::kTimestamp},
    {"y", kYDim, CoordinateType::kFloat64},
    {"x", kXDim, CoordinateType::kFloat64},
};
inline constexpr Variable kAnalysisVariables[] = {
    {&kWind, StepType::kInstant, {"WIND", "2 m above ground"}}};
inline constexpr DatasetSpec kAnalysis{
    .id = "teaching-analysis",
    .version = "0.1.0",
    .append_start = std::chrono::sys_days(2020y / 1 / 1),
    .append_every = 1h,
    .dimensions = kAnalysisDimensions,
    .groups = kAnalysisGroups,
    .coordinates = kAnalysisCoordinates,
    .variables = kAnalysisVariables,
};
static_assert(well_formed(kAnalysis));

}  // namespace icefield::dataset::teaching
