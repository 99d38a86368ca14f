#include <algorithm>
#include <array>
#include <bit>

#include "grib/decode/internal/aec_simd.h"
#include "grib/decode/internal/simd_blocks.h"

namespace icefield::grib::avx2 {
#if defined(__x86_64__)
namespace {

/// 64 bits from octet `at` on, the first in the stream lowest; zeros past the end.
ICEFIELD_AVX2 std::uint64_t first_bit_lowest(std::span<const std::byte> bytes, std::size_t at) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data() + at, std::min<std::size_t>(8, bytes.size() - at));
  bits = (bits >> 1U & 0x5555555555555555U) | (bits & 0x5555555555555555U) << 1U;
  bits = (bits >> 2U & 0x3333333333333333U) | (bits & 0x3333333333333333U) << 2U;
  return (bits >> 4U & 0x0F0F0F0F0F0F0F0FU) | (bits & 0x0F0F0F0F0F0F0F0FU) << 4U;
}

ICEFIELD_AVX2 __m256i load(const std::uint32_t* x) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x));
}

ICEFIELD_AVX2 void store(__m256i lanes, std::uint32_t* x) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(x), lanes);
}

/// (n + 1) / 2 or n / 2: what a mapped error is at most away from the prediction.
ICEFIELD_AVX2 __m256i half_up(__m256i mapped) {
  const __m256i one = _mm256_set1_epi32(1);
  return _mm256_add_epi32(_mm256_srli_epi32(mapped, 1), _mm256_and_si256(mapped, one));
}

/// 0, -1, 1, -2, 2 for 0, 1, 2, 3, 4.
ICEFIELD_AVX2 __m256i unmapped(__m256i mapped) {
  const __m256i odd = _mm256_and_si256(mapped, _mm256_set1_epi32(1));
  return _mm256_xor_si256(_mm256_srli_epi32(mapped, 1),
                          _mm256_sub_epi32(_mm256_setzero_si256(), odd));
}

}  // namespace

ICEFIELD_AVX2_KERNEL std::size_t find_ones(std::span<const std::byte> bytes, std::uint64_t position,
                                           std::size_t count, std::uint32_t* ones) {
  std::size_t at = position / 8;
  if (at >= bytes.size()) return 0;
  const auto phase = static_cast<std::uint32_t>(position % 8);
  std::uint64_t word = first_bit_lowest(bytes, at) >> phase << phase;
  std::uint32_t base = 0U - phase;
  std::size_t found = 0;
  while (true) {
    const auto here = static_cast<std::size_t>(std::popcount(word));
    std::uint32_t* to = ones + found;
    // eight at a time without asking: what lies behind the last one is overwritten later
    for (std::size_t i = 0; i < here; i += 8) {
      for (std::size_t j = 0; j < 8; ++j) {
        to[i + j] = base + static_cast<std::uint32_t>(_tzcnt_u64(word));
        word = _blsr_u64(word);
      }
    }
    found += here;
    at += 8;
    if (found >= count || at >= bytes.size()) return found;
    base += 64;
    word = first_bit_lowest(bytes, at);
  }
}

ICEFIELD_AVX2_KERNEL bool join_split(const std::uint32_t* ones, const PackedIntegers& low,
                                     std::span<std::uint32_t> numbers) {
  const std::size_t n = numbers.size();
  const std::uint64_t end = (low.first_bit + (n + 7) * low.width) / 8 + kReadAhead;
  if (low.width > kWidestLane || end > low.bytes.size()) return false;
  const __m256i one = _mm256_set1_epi32(1);
  std::uint32_t* const to = numbers.data();
  if (low.width == 0) {
    for (std::size_t i = 0; i < n; i += 8) {
      const __m256i gap = _mm256_sub_epi32(load(ones + i), load(ones + i - 1));
      store(_mm256_sub_epi32(gap, one), to + i);
    }
    return true;
  }
  const NarrowReader reader(low.width, static_cast<unsigned>(low.first_bit % 8));
  const __m128i shift = _mm_cvtsi32_si128(static_cast<int>(low.width));
  const std::byte* from = low.bytes.data() + low.first_bit / 8;
  for (std::size_t i = 0; i < n; i += 8, from += low.width) {
    const __m256i gap = _mm256_sub_epi32(load(ones + i), load(ones + i - 1));
    const __m256i high = _mm256_sll_epi32(_mm256_sub_epi32(gap, one), shift);
    store(_mm256_or_si256(high, reader.read(from)), to + i);
  }
  return true;
}

ICEFIELD_AVX2_KERNEL std::size_t restore(std::span<std::uint32_t> numbers, std::uint32_t before,
                                         std::uint32_t greatest) {
  const std::size_t n = numbers.size();
  std::uint32_t* const x = numbers.data();
  std::fill_n(x + n, 8, 0);  // no error: repeats the last sample
  const __m256i most = _mm256_set1_epi32(static_cast<int>(greatest));
  __m256i carry = _mm256_set1_epi32(static_cast<int>(before));
  for (std::size_t i = 0; i < n; i += 8) {
    const __m256i mapped = load(x + i);
    const __m256i error = unmapped(mapped);
    const __m256i sum = running_sum(error);
    const __m256i sample = _mm256_add_epi32(sum, carry);
    const __m256i predicted = _mm256_sub_epi32(sample, error);
    const __m256i room = _mm256_min_epi32(predicted, _mm256_sub_epi32(most, predicted));
    const __m256i outside = _mm256_or_si256(_mm256_cmpgt_epi32(half_up(mapped), room), mapped);
    if (_mm256_movemask_ps(_mm256_castsi256_ps(outside)) != 0) return i;
    store(sample, x + i);
    carry = _mm256_add_epi32(carry, last_lane(sum));
  }
  return n;
}

#else
std::size_t find_ones(std::span<const std::byte>, std::uint64_t, std::size_t, std::uint32_t*) {
  return 0;
}
bool join_split(const std::uint32_t*, const PackedIntegers&, std::span<std::uint32_t>) {
  return false;
}
bool restore(std::span<std::uint32_t>, std::uint32_t, std::uint32_t) {
  return false;
}
#endif

}  // namespace icefield::grib::avx2
