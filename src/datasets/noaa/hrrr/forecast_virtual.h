#pragma once

#include "dataset/spec.h"

namespace icefield::datasets::noaa::hrrr {

/// noaa-hrrr-forecast-48-hour-virtual: every 6 hours, leads 0 to 48 h.
extern const dataset::DatasetSpec kForecast48HourVirtual;

/// noaa-hrrr-forecast-18-hour-virtual: every hour, leads 0 to 18 h, the same variables.
extern const dataset::DatasetSpec kForecast18HourVirtual;

}  // namespace icefield::datasets::noaa::hrrr
