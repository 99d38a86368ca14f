#pragma once

#include <cstddef>
#include <vector>

#include "core/range_reader.h"
#include "core/result.h"
#include "grib/index/ecmwf_index.h"
#include "grib/index/noaa_idx.h"
#include "grib/keys/noaa_labels.h"
#include "grib/scan/scan.h"

namespace icefield::grib {

// What takes the place of an index that is missing, late, stale or damaged: the same entries, made
// from the headers of the data file itself. Every message found has an entry or is reported, or
// both where only its grid is not known.

/// A NOAA inventory made from the data.
struct NoaaRescan {
  NoaaInventory inventory;
  std::vector<NoaaIdxEntry> entries;  // in file order; texts point into `inventory`
  std::vector<Reported> reported;     // cut messages, product templates that are not known, ...
  std::size_t left_out = 0;           // fields and messages that no entry stands for
};

/// An ECMWF index made from the data.
struct EcmwfRescan {
  std::vector<EcmwfIndexRow> rows;  // in file order
  std::vector<Reported> reported;
  std::size_t left_out = 0;
};

/// Reads the headers of every message of `data`, about 1 KiB each, and nothing of sections 6 and 7.
/// A data file that ends inside its last message keeps the whole ones; the last is reported.
/// Errors: kUnavailable for an empty data file; kCorrupt when it holds no message that is
///         understood; what `data` gives for a read. Any thread.
core::Result<NoaaRescan> rescan_noaa(const core::RangeReader& data);
core::Result<EcmwfRescan> rescan_ecmwf(const core::RangeReader& data);

}  // namespace icefield::grib
