#include "sample_source/testing/small_dataset.h"

#include <chrono>
#include <string>
#include <vector>

#include "core/text.h"
#include "dataset/source_file.h"

namespace icefield::sample_source {
namespace {

using dataset::SourceFile;
using dataset::VariableIndex;
using std::chrono::hours;

constexpr dataset::LeadRun kLeadRuns[] = {{hours{0}, hours{48}, hours{1}}};
constexpr std::int64_t kPressureLevels[] = {1000, 850, 500};
constexpr dataset::Dimension kDimensions[] = {
    {"init_time", dataset::AppendAxis{}},
    {"lead_time", dataset::LeadAxis{kLeadRuns}},
    {"y", dataset::LinearAxis{0, -3000, 1059}},
    {"x", dataset::LinearAxis{0, 3000, 1799}},
    {"pressure_level", dataset::LabelAxis{kPressureLevels}},
};

constexpr std::string_view kRootDims[] = {"init_time", "lead_time", "y", "x"};
constexpr std::string_view kLevelDims[] = {"init_time", "lead_time", "y", "x", "pressure_level"};
constexpr std::uint64_t kRootChunks[] = {1, 1, 1059, 1799};
constexpr std::uint64_t kLevelChunks[] = {1, 1, 1059, 1799, 1};
constexpr dataset::Group kGroups[] = {
    {"", kRootDims, kRootChunks, {}},
    {"pressure_level", kLevelDims, kLevelChunks, {}},
};

constexpr dataset::Quantity kReflectivity{"reflectivity", "", "", "", ""};
constexpr dataset::Quantity kTemperature{"temperature", "", "", "", ""};
constexpr dataset::Quantity kWind{"wind", "", "", "", ""};
constexpr dataset::Quantity kRain{"rain", "", "", "", ""};
constexpr dataset::Quantity kRainRun{"rain_run_total", "", "", "", ""};
constexpr dataset::Quantity kUpdraft{"updraft", "", "", "", ""};
constexpr dataset::Quantity kCeiling{"ceiling", "", "", "", ""};
constexpr dataset::Quantity kWetness{"wetness", "", "", "", ""};

constexpr dataset::VariableOptions not_at_hour_0() {
  dataset::VariableOptions options;
  options.hour_0 = false;
  return options;
}

using enum dataset::StepType;
// clang-format off
constexpr dataset::Variable kVariables[] = {
    // quantity      step      element, level, file type, window                                group
    {&kReflectivity, kInstant, {"REFC", "entire atmosphere", 0, dataset::kNoWindow, {}},            0},
    {&kTemperature,  kInstant, {"TMP", "2 m above ground", 0, dataset::kNoWindow, {}},              0},
    {&kWind,         kInstant, {"UGRD", "10 m above ground", 0, dataset::kNoWindow, {}},            0},
    {&kRain,         kAccum,   {"APCP", "surface", 0, hours{1}, {}},                                0},
    {&kRainRun,      kAccum,   {"APCP", "surface", 0, dataset::kForever, {}},                       0},
    {&kUpdraft,      kMax,     {"MAXUVV", "100-1000 mb above ground", 0, hours{1}, {}},             0},
    {&kCeiling,      kInstant, {"HGT", "cloud ceiling", 0, dataset::kNoWindow, {}},                 0},
    {&kWetness,      kInstant, {"MSTAV", "0 m underground", 0, dataset::kNoWindow, {}},             0,
     not_at_hour_0()},
    {&kTemperature,  kInstant, {"TMP", "{level} mb", 1, dataset::kNoWindow, {}},                    1},
};
// clang-format on

constexpr dataset::Container kContainers[] = {
    {"noaa-hrrr-bdp-pds", "s3://noaa-hrrr-bdp-pds/", dataset::ContainerKind::kS3, "us-east-1"}};
constexpr dataset::VirtualConfig kVirtualConfig{.containers = kContainers, .manifest_split = {}};
constexpr std::string_view kFileTypes[] = {"sfc", "prs"};

std::vector<SourceFile> files_of(const dataset::DatasetSpec& spec, const dataset::Region& region,
                                 std::span<const VariableIndex> /*variables*/) {
  std::vector<SourceFile> files;
  for (std::uint64_t at = region.begin; at < region.end; ++at) {
    for (int lead = 0; lead <= 48; ++lead) {
      for (std::uint8_t type = 0; type < 2; ++type) {
        files.push_back(
            {.append = spec.append_start + spec.append_every * static_cast<std::int64_t>(at),
             .lead = hours{lead},
             .file_type = type});
      }
    }
  }
  return files;
}

std::string url_of(const dataset::DatasetSpec& spec, const SourceFile& file) {
  const std::string at = core::format_timestamp(file.append);
  const auto lead = std::to_string(std::chrono::duration_cast<hours>(file.lead).count());
  return core::text("s3://noaa-hrrr-bdp-pds/hrrr.", at.substr(0, 4), at.substr(5, 2),
                    at.substr(8, 2), "/conus/hrrr.t", at.substr(11, 2), "z.wrf",
                    spec.virtual_source->file_types[file.file_type], "f",
                    lead.size() == 1 ? "0" : "", lead, ".grib2");
}

std::vector<VariableIndex> variables_in(const dataset::DatasetSpec& spec, const SourceFile& file,
                                        std::span<const VariableIndex> variables) {
  std::vector<VariableIndex> carried;
  for (const VariableIndex index : variables) {
    const auto& variable = spec.variables[index];
    if (variable.source.file_type != file.file_type) continue;
    if (file.lead.count() == 0 && !dataset::has_hour_0_values(spec, variable)) continue;
    carried.push_back(index);
  }
  return carried;
}

constexpr dataset::VirtualSource kVirtualSource{.file_types = kFileTypes,
                                                .generate_source_file_coords = files_of,
                                                .get_url = url_of,
                                                .get_index_url = nullptr,
                                                .variables_in = variables_in,
                                                .wanted_messages = nullptr,
                                                .representative_var = nullptr};

dataset::DatasetSpec make_spec() {
  dataset::DatasetSpec spec;
  spec.id = "noaa-hrrr-forecast-48-hour-virtual";
  spec.version = "0.0.0";
  spec.kind = dataset::DatasetKind::kVirtual;
  spec.append_start =
      std::chrono::sys_days{std::chrono::year{2018} / std::chrono::July / 13} + hours{12};
  spec.append_every = hours{6};
  spec.dimensions = kDimensions;
  spec.groups = kGroups;
  spec.variables = kVariables;
  spec.virtual_config = &kVirtualConfig;
  spec.virtual_source = &kVirtualSource;
  return spec;
}

}  // namespace

const dataset::DatasetSpec& small_dataset() {
  static const dataset::DatasetSpec spec = make_spec();
  return spec;
}

}  // namespace icefield::sample_source
