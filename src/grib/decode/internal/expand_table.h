#pragma once

#if defined(__x86_64__)
#include <array>
#include <cstdint>
#include <limits>

#include <immintrin.h>

#include "grib/decode/internal/simd_blocks.h"

namespace icefield::grib {

enum class FirstLane : std::uint8_t { kHighestBit, kLowestBit };

/// For each octet of a mask: the rank of each lane among the 1 bits, or 8 for a 0 bit.
constexpr std::array<std::array<std::uint8_t, 8>, 256> make_expand_ranks(FirstLane first) {
  std::array<std::array<std::uint8_t, 8>, 256> table{};
  for (unsigned octet = 0; octet < 256; ++octet) {
    std::uint8_t rank = 0;
    for (unsigned lane = 0; lane < 8; ++lane) {
      const unsigned bit = first == FirstLane::kHighestBit ? 7U - lane : lane;
      table[octet][lane] = (octet >> bit & 1U) != 0 ? rank++ : std::uint8_t{8};
    }
  }
  return table;
}
inline constexpr auto kExpandRanks = make_expand_ranks(FirstLane::kHighestBit);
inline constexpr auto kExpandRanksLowFirst = make_expand_ranks(FirstLane::kLowestBit);

/// Lane choices for permutevar8x32; bit 3 is set in lanes without a value.
ICEFIELD_AVX2 __m256i expand_ranks(unsigned octet) {
  return _mm256_cvtepu8_epi32(
      _mm_loadl_epi64(reinterpret_cast<const __m128i*>(kExpandRanks[octet].data())));
}

ICEFIELD_AVX2 __m256i expand_ranks_low_first(unsigned octet) {
  return _mm256_cvtepu8_epi32(
      _mm_loadl_epi64(reinterpret_cast<const __m128i*>(kExpandRanksLowFirst[octet].data())));
}

ICEFIELD_AVX2 __m256 quiet_nan_ps() {
  return _mm256_set1_ps(std::numeric_limits<float>::quiet_NaN());
}

ICEFIELD_AVX2 __m256d quiet_nan_pd() {
  return _mm256_set1_pd(std::numeric_limits<double>::quiet_NaN());
}

/// Four lanes for the four highest-bit-first bits of `nibble`: values of `from` in order, or NaN.
ICEFIELD_AVX2 __m256d expand_nibble(unsigned nibble, const double* from) {
  const __m256i ranks = expand_ranks(nibble << 4U);  // lanes 0..3
  const __m256i wide = _mm256_cvtepu32_epi64(_mm256_castsi256_si128(ranks));
  const __m256i halves = _mm256_or_si256(
      _mm256_slli_epi64(wide, 1),
      _mm256_slli_epi64(_mm256_add_epi64(_mm256_slli_epi64(wide, 1), _mm256_set1_epi64x(1)), 32));
  const __m256i values =
      _mm256_permutevar8x32_epi32(_mm256_castpd_si256(_mm256_loadu_pd(from)), halves);
  const __m256d missing = _mm256_castsi256_pd(_mm256_slli_epi64(wide, 60));
  return _mm256_blendv_pd(_mm256_castsi256_pd(values), quiet_nan_pd(), missing);
}

}  // namespace icefield::grib
#endif
