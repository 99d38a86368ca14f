// corpus: tests/golden/grib/decode_grib1
#include "grib_decode_entry.h"

// NOLINTNEXTLINE(readability-identifier-naming): the driver looks for this name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kMostPoints = std::size_t{1} << 16U;  // keeps one run short
  const auto message = icefield::grib::testing::split_message(std::as_bytes(std::span(data, size)));
  if (!message || message->edition != 1 || message->n_points > kMostPoints) return 0;
  std::vector<float> out(message->n_points);
  (void)icefield::grib::testing::decode_message<float>(*message, out).has_value();
  return 0;
}
