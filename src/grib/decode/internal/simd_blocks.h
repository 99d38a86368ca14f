#pragma once

#if defined(__x86_64__)
#include <immintrin.h>

#include <cstddef>

#include "grib/decode/internal/scaling.h"

#define ICEFIELD_AVX2 __attribute__((target("avx2"), always_inline)) inline

/// Pieces shared by the AVX2 kernels: eight 32-bit lanes in, eight results out.
namespace icefield::grib::avx2 {

struct ScalingLanes {
  __m256d reference, binary, decimal;
};

ICEFIELD_AVX2 ScalingLanes lanes_of(const Scaling& scaling) {
  return {_mm256_set1_pd(scaling.reference), _mm256_set1_pd(scaling.binary),
          _mm256_set1_pd(scaling.decimal)};
}

/// Four values from four numbers that are already double.
ICEFIELD_AVX2 __m256d scaled(__m256d x, const ScalingLanes& by) {
  return _mm256_mul_pd(_mm256_add_pd(_mm256_mul_pd(x, by.binary), by.reference), by.decimal);
}

ICEFIELD_AVX2 __m256d low_scaled(__m256i x, const ScalingLanes& by) {
  return scaled(_mm256_cvtepi32_pd(_mm256_castsi256_si128(x)), by);
}

ICEFIELD_AVX2 __m256d high_scaled(__m256i x, const ScalingLanes& by) {
  return scaled(_mm256_cvtepi32_pd(_mm256_extracti128_si256(x, 1)), by);
}

ICEFIELD_AVX2 __m256 rounded(__m256d low, __m256d high) {
  return _mm256_set_m128(_mm256_cvtpd_ps(high), _mm256_cvtpd_ps(low));
}

/// Writes the values of eight signed numbers.
ICEFIELD_AVX2 void store_scaled(__m256i x, const ScalingLanes& by, float* out) {
  _mm256_storeu_ps(out, rounded(low_scaled(x, by), high_scaled(x, by)));
}

ICEFIELD_AVX2 void store_scaled(__m256i x, const ScalingLanes& by, double* out) {
  _mm256_storeu_pd(out, low_scaled(x, by));
  _mm256_storeu_pd(out + 4, high_scaled(x, by));
}

/// Where the bits of eight neighbouring numbers lie: byte choice and shift for each lane.
struct BitLayout {
  alignas(32) std::uint8_t bytes[32] = {};   // per lane of four numbers, from its own base
  alignas(32) std::uint32_t shift[8] = {};   // left shift that drops the bits of earlier numbers
  std::uint32_t second = 0;                  // byte at which the upper four numbers' base lies
};

/// For numbers of `width` (1..25) bits of which the first begins `phase` (0..7) bits into a byte.
constexpr BitLayout bit_layout(unsigned width, unsigned phase) {
  BitLayout layout;
  layout.second = (phase + 4 * width) / 8;
  for (unsigned lane = 0; lane < 8; ++lane) {
    const unsigned bit = phase + lane * width - (lane < 4 ? 0 : layout.second * 8);
    layout.shift[lane] = bit % 8;
    // big-endian bytes become a little-endian lane
    for (unsigned i = 0; i < 4; ++i) {
      layout.bytes[lane * 4 + i] = static_cast<std::uint8_t>(bit / 8 + 3 - i);
    }
  }
  return layout;
}

inline constexpr unsigned kWidestLane = 25;  // width + 7 bits of phase fit into 32
inline constexpr std::size_t kReadAhead = 32;  // bytes that a load may touch from a number's byte on

}  // namespace icefield::grib::avx2
#endif
