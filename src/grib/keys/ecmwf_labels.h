#pragma once

#include <string>
#include <string_view>

#include "grib/scan/scan.h"

namespace icefield::grib {

/// The short name that ECMWF's indexes give the field ("2t", "tp", "z"): of all definitions that
/// hold for it the one that asks for most; edition 1: the centre's table. Empty without a name.
std::string_view ecmwf_param(const Field& field);

/// An index of ECMWF's form (docs/formats/index_sidecars.md): one JSON object per field, in file
/// order, with the keys that the messages themselves tell: date, time, type, stream, step,
/// levelist, levtype, number, param, _offset, _length. Values are strings but for the range, as
/// open data has them. Fields of one message share its range.
std::string ecmwf_index_text(const Scan& scan);

}  // namespace icefield::grib
