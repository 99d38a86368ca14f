#pragma once

#include <cstdint>
#include <span>

#include "grib/decode/internal/bits.h"
#include "grib/decode/internal/scaling.h"

namespace icefield::grib {

/// Writes the first out.size() numbers. Precondition: packed.holds(out.size()).
void unpack(const PackedIntegers& packed, std::span<std::uint32_t> out);

/// Writes scaling.value(X) of the first out.size() numbers X, for float rounded once from double.
/// Precondition: packed.holds(out.size()), packed.first_bit is a multiple of 8, width >= 1.
void unpack_scaled(const PackedIntegers& packed, const Scaling& scaling, std::span<float> out);
void unpack_scaled(const PackedIntegers& packed, const Scaling& scaling, std::span<double> out);

/// Writes scaling.value(X) of each number X. Precondition: both spans are of one size.
void scale(std::span<const std::uint32_t> numbers, const Scaling& scaling, std::span<float> out);
void scale(std::span<const std::uint32_t> numbers, const Scaling& scaling, std::span<double> out);

/// True when the vector kernels may run: AVX2, BMI and POPCNT. Found once.
bool has_avx2();

/// Switches the vector kernels off and on again: tests compare both forms.
void allow_vectors(bool allowed);

}  // namespace icefield::grib
