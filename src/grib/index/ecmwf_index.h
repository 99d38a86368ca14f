#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/bytes.h"
#include "core/json.h"
#include "core/result.h"
#include "core/time.h"

namespace icefield::grib {

/// One line of an ECMWF index (JSON lines beside a data file): where a message lies and what it is.
/// Numbers that occur as JSON strings and as numbers are read alike.
struct EcmwfIndexRow {
  core::ByteRange range;                // of the message in the data file, never empty
  std::uint32_t line = 0;               // line number in the text, from 1
  std::string param;                    // "2t"; the archive form's "variable"
  std::string levtype;                  // "sfc", "pl", "sol"; empty when the line has none
  std::string type;                     // "fc", "cf", "pf"; empty when the line has none
  std::string stream;                   // "oper", "enfo"; empty when the line has none
  std::optional<double> level;          // "levelist"; absent for single-level fields
  std::optional<std::uint32_t> member;  // "number"; 0 for cf, fc and rows without type; absent for
                                        // other types without a number (means, spreads)
  std::int32_t step_start_minutes = 0;  // equals the end for a point in time
  std::int32_t step_end_minutes = 0;
  std::optional<core::Timestamp> init;  // "date" and "time", where given
  core::Json keys;                      // the line's object: every key, in its order
};

/// Reads an ECMWF index of the open-data form (`_offset`, `_length`, `param`, ...), of the MARS
/// archive (the same, several steps per file) or of the archive form with `variable`,
/// `lead_hours`, `ensemble_member`, `offset`, `length` (docs/formats/index_sidecars.md).
///
/// `data_size`: bytes of the data file; absent when it is not known, then ends are not checked.
///
/// Errors, naming the line where there is one:
///   kUnavailable  nothing to read yet: empty text, empty data file, last line not a whole object
///                 (whatever the lines before it say);
///   kCorrupt      a line that is no such object, a range that is empty or ends past the data, a
///                 perturbed member (type pf) without a number above 0, or number 0 in a row whose
///                 type is neither cf nor fc.
core::Result<std::vector<EcmwfIndexRow>> parse_ecmwf_index(std::string_view text,
                                                           std::optional<std::uint64_t> data_size);

/// The index text of `rows`, one object per line as parse_ecmwf_index found it, spaced as Python's
/// json module does; the keys of offset and length say what `range` says.
std::string format_ecmwf_index(std::span<const EcmwfIndexRow> rows);

/// The members that occur, ascending, each once.
std::vector<std::uint32_t> members(std::span<const EcmwfIndexRow> rows);

}  // namespace icefield::grib
