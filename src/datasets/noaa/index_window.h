#pragma once

#include <string>

#include "core/time.h"
#include "dataset/variable.h"

namespace icefield::datasets::noaa {

/// The window field of a NOAA index entry that holds `variable` at this lead: "anl", "8 hour fcst",
/// "7-8 hour acc fcst", "0-1 day acc fcst".
/// `lead`: whole hours >= 0. Precondition: the variable is instantaneous or has a window reset.
std::string index_window(const dataset::Variable& variable, core::Seconds lead);

}  // namespace icefield::datasets::noaa
