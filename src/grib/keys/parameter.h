#pragma once

#include <optional>
#include <string_view>

#include "grib/scan/scan.h"

namespace icefield::grib {

/// What the code tables call a quantity. Texts live as long as the program.
struct ParameterName {
  std::string_view short_name;  // "TMP"; empty where the tables have none
  std::string_view name;        // "Temperature"
  std::string_view unit;        // "K"
};

/// The name of the field's parameter: the centre's local table where the numbers are local, else
/// the WMO's; edition 1: the centre's table 2 of that version, else the WMO's. Nothing for numbers
/// that no table holds.
std::optional<ParameterName> parameter_name(const Field& field);

/// Code table 4.5: "Isobaric surface"; empty for numbers without a name.
std::string_view surface_name(std::uint8_t type);

}  // namespace icefield::grib
