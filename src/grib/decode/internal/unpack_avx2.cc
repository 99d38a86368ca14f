#include <algorithm>

#include "grib/decode/internal/simd_blocks.h"
#include "grib/decode/internal/unpack_simd.h"

namespace icefield::grib::avx2 {
#if defined(__x86_64__)
namespace {

/// Reads eight numbers of 26 to 32 bits, the first at a whole byte: four bytes and bits of a fifth.
struct WideReader {
  BitLayout layout;
  __m256i bytes, fifth, shift, fifth_shift;
  __m128i drop;

  ICEFIELD_AVX2_KERNEL explicit WideReader(unsigned width, unsigned phase)
      : layout(bit_layout(width, phase)),
        bytes(_mm256_load_si256(reinterpret_cast<const __m256i*>(layout.bytes))),
        // lane byte 0 is the fourth byte of the number; the fifth follows it
        fifth(_mm256_or_si256(
            _mm256_and_si256(_mm256_add_epi8(bytes, _mm256_set1_epi8(1)), _mm256_set1_epi32(0xFF)),
            _mm256_set1_epi32(static_cast<int>(0x80808000U)))),
        shift(_mm256_load_si256(reinterpret_cast<const __m256i*>(layout.shift))),
        fifth_shift(_mm256_sub_epi32(_mm256_set1_epi32(8), shift)),
        drop(_mm_cvtsi32_si128(static_cast<int>(32 - width))) {}

  ICEFIELD_AVX2 __m256i read(const std::byte* from) const {
    const __m128i low = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    const __m128i high = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + layout.second));
    const __m256i both = _mm256_set_m128i(high, low);
    const __m256i four = _mm256_sllv_epi32(_mm256_shuffle_epi8(both, bytes), shift);
    const __m256i rest = _mm256_srlv_epi32(_mm256_shuffle_epi8(both, fifth), fifth_shift);
    return _mm256_srl_epi32(_mm256_or_si256(four, rest), drop);
  }
};

/// How many numbers, a multiple of eight, can be read without a load past the end.
std::size_t readable(const PackedIntegers& packed, std::size_t wanted) {
  const std::uint64_t first_byte = packed.first_bit / 8;
  const std::uint64_t usable = packed.bytes.size() - first_byte;
  if (usable < kReadAhead) return 0;
  const std::uint64_t blocks = (usable - kReadAhead) / packed.width + 1;
  return std::min<std::uint64_t>(wanted / 8, blocks) * 8;
}

template <typename Reader, typename T>
ICEFIELD_AVX2_KERNEL std::size_t scale_all(const PackedIntegers& packed, const Scaling& scaling,
                                           std::span<T> out) {
  const Reader reader(packed.width, static_cast<unsigned>(packed.first_bit % 8));
  const ScalingLanes by = lanes_of(scaling);
  const std::byte* from = packed.bytes.data() + packed.first_bit / 8;
  const std::size_t count = readable(packed, out.size());
  for (std::size_t i = 0; i < count; i += 8, from += packed.width) {
    store_scaled(reader.read(from), by, out.data() + i);
  }
  return count;
}

template <typename Reader>
ICEFIELD_AVX2_KERNEL std::size_t copy_all(const PackedIntegers& packed,
                                          std::span<std::uint32_t> out) {
  const Reader reader(packed.width, static_cast<unsigned>(packed.first_bit % 8));
  const std::byte* from = packed.bytes.data() + packed.first_bit / 8;
  const std::size_t count = readable(packed, out.size());
  for (std::size_t i = 0; i < count; i += 8, from += packed.width) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out.data() + i), reader.read(from));
  }
  return count;
}

template <typename T>
std::size_t unpack_scaled_any(const PackedIntegers& packed, const Scaling& scaling,
                              std::span<T> out) {
  if (packed.width <= kWidestLane) return scale_all<NarrowReader>(packed, scaling, out);
  if (packed.width < 32) return scale_all<WideReader>(packed, scaling, out);
  return 0;  // 32 bits do not fit the signed conversion
}

/// Stops before the first number that a signed lane cannot hold.
template <typename T>
ICEFIELD_AVX2_KERNEL std::size_t scale_any(std::span<const std::uint32_t> numbers,
                                           const Scaling& scaling, std::span<T> out) {
  const ScalingLanes by = lanes_of(scaling);
  const std::size_t count = out.size() / 8 * 8;
  for (std::size_t i = 0; i < count; i += 8) {
    const __m256i x = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(numbers.data() + i));
    if (_mm256_movemask_ps(_mm256_castsi256_ps(x)) != 0) return i;
    store_scaled(x, by, out.data() + i);
  }
  return count;
}

}  // namespace

std::size_t unpack(const PackedIntegers& packed, std::span<std::uint32_t> out) {
  if (packed.width == 0) return 0;
  if (packed.width <= kWidestLane) return copy_all<NarrowReader>(packed, out);
  if (packed.first_bit % 8 != 0) return 0;
  return copy_all<WideReader>(packed, out);
}

std::size_t unpack_scaled(const PackedIntegers& packed, const Scaling& scaling,
                          std::span<float> out) {
  return unpack_scaled_any(packed, scaling, out);
}

std::size_t unpack_scaled(const PackedIntegers& packed, const Scaling& scaling,
                          std::span<double> out) {
  return unpack_scaled_any(packed, scaling, out);
}

std::size_t scale(std::span<const std::uint32_t> numbers, const Scaling& scaling,
                  std::span<float> out) {
  return scale_any(numbers, scaling, out);
}

std::size_t scale(std::span<const std::uint32_t> numbers, const Scaling& scaling,
                  std::span<double> out) {
  return scale_any(numbers, scaling, out);
}

#else
std::size_t unpack(const PackedIntegers&, std::span<std::uint32_t>) {
  return 0;
}
std::size_t unpack_scaled(const PackedIntegers&, const Scaling&, std::span<float>) {
  return 0;
}
std::size_t unpack_scaled(const PackedIntegers&, const Scaling&, std::span<double>) {
  return 0;
}
std::size_t scale(std::span<const std::uint32_t>, const Scaling&, std::span<float>) {
  return 0;
}
std::size_t scale(std::span<const std::uint32_t>, const Scaling&, std::span<double>) {
  return 0;
}
#endif

}  // namespace icefield::grib::avx2
