#include "grib/scan/indicator.h"

#include "core/bytes.h"

namespace icefield::grib {

std::optional<Indicator> read_indicator(std::span<const std::byte> octets) {
  constexpr std::uint32_t kGrib = 0x47524942;  // "GRIB"
  constexpr std::size_t kOctetsOfEdition1 = 8;
  if (octets.size() < kOctetsOfEdition1) return std::nullopt;
  const auto word = core::load_big_endian<std::uint64_t>(octets);
  if ((word >> 32U) != kGrib) return std::nullopt;
  const auto edition = static_cast<std::uint8_t>(word & 0xFFU);
  if (edition == 1) return Indicator{1, 0, (word >> 8U) & 0xFFFFFFU};
  if (edition != 2 || octets.size() < Indicator::kOctets) return std::nullopt;
  return Indicator{2, static_cast<std::uint8_t>((word >> 8U) & 0xFFU),
                   core::load_big_endian<std::uint64_t>(octets, 8)};
}

}  // namespace icefield::grib
