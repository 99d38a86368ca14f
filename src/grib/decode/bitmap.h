#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/result.h"

namespace icefield::grib {

/// Points that a bitmap keeps: 1 bits among its first n_points. Bits past the bytes count as 0.
std::uint64_t count_present(std::span<const std::byte> bitmap, std::uint64_t n_points);

/// Moves the first `n_values` values of `out` to the points whose bit is 1, in order, and writes a
/// quiet NaN to the others. Works in place.
/// Errors: kCorrupt when the bitmap has fewer than out.size() bits, or more 1 bits than values.
core::Status spread_over_bitmap(std::span<const std::byte> bitmap, std::size_t n_values,
                                std::span<float> out);
core::Status spread_over_bitmap(std::span<const std::byte> bitmap, std::size_t n_values,
                                std::span<double> out);

}  // namespace icefield::grib
