#pragma once

#if defined(__x86_64__)
#include <array>
#include <cstddef>
#include <cstdint>

#include <immintrin.h>

#include "grib/decode/internal/scaling.h"

#define ICEFIELD_AVX2 __attribute__((target("avx2,bmi,popcnt"), always_inline)) inline
#define ICEFIELD_AVX2_KERNEL __attribute__((target("avx2,bmi,popcnt")))

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
  alignas(32) std::uint8_t bytes[32] = {};  // per lane of four numbers, from its own base
  alignas(32) std::uint32_t shift[8] = {};  // left shift that drops the bits of earlier numbers
  std::uint32_t second = 0;                 // byte at which the upper four numbers' base lies
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
inline constexpr std::size_t kReadAhead =
    32;  // bytes that a load may touch from a number's byte on

/// The layouts of every width and phase that a lane can hold.
inline constexpr auto kLayouts = [] {
  std::array<std::array<BitLayout, 8>, kWidestLane + 1> table{};
  for (unsigned width = 1; width <= kWidestLane; ++width) {
    for (unsigned phase = 0; phase < 8; ++phase) table[width][phase] = bit_layout(width, phase);
  }
  return table;
}();

/// Reads eight numbers of 1 to 25 bits at a time.
struct NarrowReader {
  __m256i bytes, shift;
  __m128i drop;
  std::uint32_t second;

  ICEFIELD_AVX2 NarrowReader(unsigned width, unsigned phase) {
    const BitLayout& layout = kLayouts[width][phase];
    bytes = _mm256_load_si256(reinterpret_cast<const __m256i*>(layout.bytes));
    shift = _mm256_load_si256(reinterpret_cast<const __m256i*>(layout.shift));
    drop = _mm_cvtsi32_si128(static_cast<int>(32 - width));
    second = layout.second;
  }

  ICEFIELD_AVX2 __m256i read(const std::byte* from) const {
    const __m128i low = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    const __m128i high = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + second));
    const __m256i lanes = _mm256_shuffle_epi8(_mm256_set_m128i(high, low), bytes);
    return _mm256_srl_epi32(_mm256_sllv_epi32(lanes, shift), drop);
  }
};

ICEFIELD_AVX2 __m256i load(const std::int32_t* x) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x));
}

ICEFIELD_AVX2 void store(__m256i lanes, std::int32_t* x) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(x), lanes);
}

/// Lane i becomes the sum of lanes 0..i.
ICEFIELD_AVX2 __m256i running_sum(__m256i x) {
  x = _mm256_add_epi32(x, _mm256_slli_si256(x, 4));
  x = _mm256_add_epi32(x, _mm256_slli_si256(x, 8));
  const __m256i low_total = _mm256_shuffle_epi32(_mm256_permute2x128_si256(x, x, 0x08), 0xFF);
  return _mm256_add_epi32(x, low_total);
}

/// Lane 7 in every lane.
ICEFIELD_AVX2 __m256i last_lane(__m256i x) {
  return _mm256_permutevar8x32_epi32(x, _mm256_set1_epi32(7));
}

}  // namespace icefield::grib::avx2
#endif
