#pragma once

#include <cstddef>
#include <string>

#include "grib/scan/scan.h"

namespace icefield::cli {

/// One field as `grib scan --json` prints it: an object on one line, keys named as ecCodes names
/// them where it has them. `index`: number of the field in the file.
std::string field_json(const grib::Scan& scan, std::size_t index);

/// One entry of "reported": {"offset","length","message","submessage","section","template",
/// "reason"}.
std::string reported_json(const grib::Reported& reported);

/// The forecast steps as ecCodes writes them: "6", "0-6" in hours, "30m" and "0m-15m" in minutes;
/// empty when the message does not give them.
std::string step_range(const grib::Product& product);

}  // namespace icefield::cli
