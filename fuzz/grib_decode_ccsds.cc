// corpus: tests/golden/grib/decode_ccsds
#include "grib_decode_entry.h"

// NOLINTNEXTLINE(readability-identifier-naming): the driver looks for this name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return icefield::fuzz::decode_packed_as<icefield::grib::CcsdsPacking>(data, size);
}
