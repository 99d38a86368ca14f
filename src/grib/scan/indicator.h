#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace icefield::grib {

/// Section 0 of a message: which edition it is and how long it says it is.
struct Indicator {
  static constexpr std::size_t kOctets = 16;  // of edition 2; edition 1 has 8

  std::uint8_t edition = 0;
  std::uint8_t discipline = 0;  // edition 2
  std::uint64_t length = 0;     // octets of the whole message, as declared
};

/// Reads the indicator at the start of `octets`. Nothing when they do not start with "GRIB", are
/// fewer than the edition needs, or the edition is neither 1 nor 2. Never allocates.
std::optional<Indicator> read_indicator(std::span<const std::byte> octets);

}  // namespace icefield::grib
