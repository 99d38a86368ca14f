#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/bytes.h"
#include "core/result.h"

namespace icefield::grib {

/// One line of a NOAA inventory (`.idx`): where one field of the data file lies and what it is.
/// The texts point into the parsed text and live as long as it does.
struct NoaaIdxEntry {
  core::ByteRange range;      // of the whole message in the data file, never empty
  std::string_view init;      // digits after "d=": YYYYMMDDHH
  std::string_view element;   // "TMP", or "var discipline=0 center=7 ..." for unnamed ones
  std::string_view level;     // "2 m above ground"
  std::string_view window;    // "7-8 hour acc fcst"; see parse_window
  std::string_view extra;     // what follows the window: "ENS=+1", "prob >0.254:..."; often empty
  std::uint32_t line = 0;     // line number in the text, from 1
  std::uint32_t message = 0;  // n of "n" or "n.m"
  std::uint32_t submessage = 0;  // m of "n.m", from 1; 0 when the line has none
  std::uint32_t field = 0;       // number of the field inside its message, from 0
};

/// Reads a NOAA inventory (docs/formats/index_sidecars.md). A message ends where the next
/// *different* offset starts, the last one at `data_size` (bytes of the data file), so that fields
/// of one message share one range and differ in `field`. CRLF line ends, blank lines and a missing
/// final newline change nothing. Allocates the entries only.
///
/// Errors, naming the line where there is one:
///   kUnavailable  nothing to read yet: empty text, empty data file, last line cut short;
///   kCorrupt      lines that are not index lines, an offset past the end of the data, offsets that
///                 go back.
core::Result<std::vector<NoaaIdxEntry>> parse_noaa_idx(std::string_view text,
                                                       std::uint64_t data_size);

/// The inventory text of `entries`, one line each, ending in a newline. Ranges give the offsets.
std::string format_noaa_idx(std::span<const NoaaIdxEntry> entries);

}  // namespace icefield::grib
