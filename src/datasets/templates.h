#pragma once

#include <span>

#include "dataset/spec.h"

/// The checked-in templates (templates/<dataset id>/ in a dataset's folder), which the build turns
/// into a source file. One function per folder, named like the id with '_' for '-'.
namespace icefield::datasets::templates {

std::span<const dataset::TemplateText> noaa_hrrr_forecast_18_hour_virtual();
std::span<const dataset::TemplateText> noaa_hrrr_forecast_48_hour_virtual();

}  // namespace icefield::datasets::templates
