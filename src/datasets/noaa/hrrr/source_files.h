#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dataset/source_file.h"

/// Where NOAA publishes HRRR and what each of its files holds. Pure functions of the spec.
namespace icefield::datasets::noaa::hrrr {

/// As file names spell them: surface, pressure levels, native (hybrid) levels.
inline constexpr std::string_view kFileTypes[] = {"sfc", "prs", "nat"};

/// One file per init, lead and file type.
std::vector<dataset::SourceFile> generate_source_file_coords(
    const dataset::DatasetSpec& spec, const dataset::Region& region,
    std::span<const dataset::VariableIndex> variables);

/// `s3://noaa-hrrr-bdp-pds/hrrr.20250801/conus/hrrr.t00z.wrfsfcf08.grib2`
std::string get_url(const dataset::DatasetSpec& spec, const dataset::SourceFile& file);

/// The data file's URL and `.idx`.
std::string get_index_url(const dataset::DatasetSpec& spec, const dataset::SourceFile& file);

/// Those of the file's type; at lead 0 only those that the source has then.
std::vector<dataset::VariableIndex> variables_in(const dataset::DatasetSpec& spec,
                                                 const dataset::SourceFile& file,
                                                 std::span<const dataset::VariableIndex> variables);

/// One row per variable, spelling and level of the file.
std::vector<dataset::WantedMessage> wanted_messages(
    const dataset::DatasetSpec& spec, const dataset::SourceFile& file,
    std::span<const dataset::VariableIndex> variables);

}  // namespace icefield::datasets::noaa::hrrr
