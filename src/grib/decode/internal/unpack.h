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

/// True when the processor and the operating system have AVX2. Found once.
bool has_avx2();

}  // namespace icefield::grib
