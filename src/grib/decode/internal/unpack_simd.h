#pragma once

#include <cstddef>

#include "grib/decode/internal/unpack.h"

/// Vector forms of unpack.h. Each handles whole groups of eight numbers while its wide loads stay
/// within the bytes, and returns how many numbers it wrote; the caller does the rest. Results are
/// those of the plain forms to the bit. Call only when has_avx2().
namespace icefield::grib::avx2 {

std::size_t unpack(const PackedIntegers& packed, std::span<std::uint32_t> out);
std::size_t unpack_scaled(const PackedIntegers& packed, const Scaling& scaling,
                          std::span<float> out);
std::size_t unpack_scaled(const PackedIntegers& packed, const Scaling& scaling,
                          std::span<double> out);

std::size_t scale(std::span<const std::uint32_t> numbers, const Scaling& scaling,
                  std::span<float> out);
std::size_t scale(std::span<const std::uint32_t> numbers, const Scaling& scaling,
                  std::span<double> out);

}  // namespace icefield::grib::avx2
