// corpus: tests/golden/grib
// Any text is an ECMWF index beside a data file of some size.
#include "grib/index/ecmwf_index.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string_view>

#include "core/bytes.h"
#include "grib/index/ecmwf_match.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace icefield;  // NOLINT: a program of its own
  const auto text = core::as_text(std::as_bytes(std::span(data, size)));
  constexpr std::uint64_t kDataSize = std::uint64_t{1} << 40U;
  const auto rows = grib::parse_ecmwf_index(text, kDataSize);
  if (!rows) return 0;
  for (const auto& row : *rows) {
    if (row.range.length == 0 || row.range.end() > kDataSize) std::abort();
  }
  const auto again = grib::parse_ecmwf_index(grib::format_ecmwf_index(*rows), kDataSize);
  if (!again || again->size() != rows->size()) std::abort();
  (void)grib::members(*rows);
  const grib::EcmwfWanted wanted{"2t", "sfc", std::numeric_limits<double>::quiet_NaN(), 1};
  const auto found = grib::EcmwfMatchTable::compile({&wanted, 1}).match(*rows, {});
  if (found.hits.size() + found.unmatched.size() > rows->size()) std::abort();
  return 0;
}
