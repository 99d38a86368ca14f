// corpus: tests/golden/grib
// Any text is a NOAA inventory beside a data file of some size.
#include "grib/index/noaa_idx.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/bytes.h"
#include "grib/index/match.h"
#include "grib/index/window.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace icefield;  // NOLINT: a program of its own
  const auto text = core::as_text(std::as_bytes(std::span(data, size)));
  for (const std::uint64_t data_size : {std::uint64_t{600}, std::uint64_t{1} << 62U}) {
    const auto entries = grib::parse_noaa_idx(text, data_size);
    if (!entries) continue;
    for (const auto& entry : *entries) {
      if (entry.range.length == 0 || entry.range.end() > data_size) std::abort();
      const auto window = grib::parse_window(entry.window);
      if (!window) continue;
      const auto again = grib::parse_window(grib::format_window(*window));
      if (!again || *again != *window) std::abort();
    }
    const auto again = grib::parse_noaa_idx(grib::format_noaa_idx(*entries), data_size);
    if (!again || again->size() != entries->size()) std::abort();
    const grib::WantedField wanted{"TMP", "surface", grib::instant_window(0), 1};
    const auto found = grib::MatchTable::compile({&wanted, 1}).match(*entries);
    std::size_t repeats = 0;
    for (const auto& duplicate : found.duplicates) repeats += duplicate.entries.size() - 1;
    if (found.hits.size() + repeats + found.unmatched.size() != entries->size()) std::abort();
  }
  return 0;
}
