#include "grib/decode/internal/expand.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>

#include "grib/decode/internal/expand_table.h"
#include "grib/decode/internal/unpack.h"

namespace icefield::grib {
namespace {

template <typename T>
void expand_octet(unsigned octet, std::size_t& value, T* to, T* base) {
  for (unsigned lane = 8; lane-- > 0;) {
    const bool present = (octet >> (7U - lane) & 1U) != 0;
    to[lane] = present ? base[--value] : std::numeric_limits<T>::quiet_NaN();
  }
}

#if defined(__x86_64__)
/// Lane i takes the value of rank i among the octet's 1 bits; NaN where the bit is 0.
ICEFIELD_AVX2_KERNEL void expand_octet_avx2(unsigned octet, const float* from, float* to) {
  const __m256i ranks = expand_ranks(octet);
  const __m256 values = _mm256_permutevar8x32_ps(_mm256_loadu_ps(from), ranks);
  const __m256 missing = _mm256_castsi256_ps(_mm256_slli_epi32(ranks, 28));
  _mm256_storeu_ps(to, _mm256_blendv_ps(values, quiet_nan_ps(), missing));
}

ICEFIELD_AVX2_KERNEL void expand_octet_avx2(unsigned octet, const double* from, double* to) {
  const unsigned in_first = static_cast<unsigned>(std::popcount(octet >> 4U));
  const __m256d first = expand_nibble(octet >> 4U, from);
  const __m256d second = expand_nibble(octet & 15U, from + in_first);
  _mm256_storeu_pd(to, first);
  _mm256_storeu_pd(to + 4, second);
}
#endif

template <typename T>
void expand_any(std::span<const std::byte> bitmap, std::size_t value, std::span<T> out) {
  T* const base = out.data();
  for (std::size_t i = bitmap.size(); i-- > 0;) {
    const auto octet = std::to_integer<unsigned>(bitmap[i]);
    T* const to = base + i * 8;
    if (octet == 0) {
      std::fill_n(to, 8, std::numeric_limits<T>::quiet_NaN());
      continue;
    }
#if defined(__x86_64__)
    const auto kept = static_cast<std::size_t>(std::popcount(octet));
    // the loads reach 8 values on from the octet's first, and never past the octet's own points
    if (has_avx2()) {
      value -= kept;
      expand_octet_avx2(octet, base + value, to);
      continue;
    }
#endif
    expand_octet(octet, value, to, base);
  }
}

}  // namespace

void expand_octets_backward(std::span<const std::byte> bitmap, std::size_t value,
                            std::span<float> out) {
  expand_any(bitmap, value, out);
}

void expand_octets_backward(std::span<const std::byte> bitmap, std::size_t value,
                            std::span<double> out) {
  expand_any(bitmap, value, out);
}

}  // namespace icefield::grib
