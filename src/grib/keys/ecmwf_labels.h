#pragma once

#include <string_view>
#include <vector>

#include "grib/index/ecmwf_index.h"
#include "grib/scan/scan.h"

namespace icefield::grib {

/// The short name that ECMWF's indexes give the field ("2t", "tp", "z"): of all definitions that
/// hold for it the one that asks for most; edition 1: the centre's table. Empty without a name.
std::string_view ecmwf_param(const Field& field);

/// A file's fields as the rows of an ECMWF index.
struct EcmwfInventory {
  std::vector<EcmwfIndexRow> rows;  // in file order
  std::vector<Reported> reported;   // fields left out: nothing that an index can say of their step
};

/// The rows of a scanned file (docs/formats/index_sidecars.md), with the keys that the messages
/// themselves tell: date, time, type, stream, step, levelist, levtype, number, param, _offset,
/// _length. Values are strings but for the range, as open data has them. Fields of one message
/// share its range. Parsing what format_ecmwf_index writes of them gives them back.
EcmwfInventory ecmwf_inventory(const Scan& scan);

}  // namespace icefield::grib
