#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace icefield::zarr {

/// CRC-32C (Castagnoli, RFC 3720) of `bytes`.
std::uint32_t crc32c(std::span<const std::byte> bytes);

}  // namespace icefield::zarr
