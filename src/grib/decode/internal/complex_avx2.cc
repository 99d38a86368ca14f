#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>

#include "grib/decode/internal/complex_simd.h"
#include "grib/decode/internal/expand_table.h"
#include "grib/decode/internal/simd_blocks.h"
#include "grib/decode/internal/tile_reader.h"

namespace icefield::grib::avx2 {
#if defined(__x86_64__)
namespace {

constexpr std::int64_t kLimit = std::int64_t{1} << 31;

/// The largest |x[i]|, i < n. Whole vectors are read: what stands behind n counts too.
ICEFIELD_AVX2_KERNEL std::int64_t greatest_magnitude(const std::int32_t* x, std::size_t n) {
  __m256i greatest = _mm256_setzero_si256();
  for (std::size_t i = 0; i < n; i += 8) {
    greatest = _mm256_max_epu32(greatest, _mm256_abs_epi32(load(x + i)));
  }
  alignas(32) std::array<std::uint32_t, 8> lanes{};
  _mm256_store_si256(reinterpret_cast<__m256i*>(lanes.data()), greatest);
  return *std::ranges::max_element(lanes);
}

/// x[i] becomes carry + the sum of x[j] + each over j <= i.
ICEFIELD_AVX2_KERNEL void prefix_sum(std::int32_t* x, std::size_t n, std::int32_t each,
                                     std::int32_t carry) {
  const __m256i added = _mm256_set1_epi32(each);
  __m256i before = _mm256_set1_epi32(carry);
  for (std::size_t i = 0; i < n; i += 8) {
    const __m256i sum = running_sum(_mm256_add_epi32(load(x + i), added));
    store(_mm256_add_epi32(sum, before), x + i);
    before = _mm256_add_epi32(before, last_lane(sum));
  }
}

/// Undoes spatial differencing tile by tile.
class TileSums {
 public:
  TileSums(const ComplexPacking& packing, const GroupSections& sections)
      : order_(packing.spatial_order), minimum_(sections.minimum), to_replace_(order_) {
    const auto [first, second] = sections.first_values;
    // With differences of 0 in the places of the first values, the sums give the first values.
    value_ = order_ == 2 ? 2 * first - second : first;
    slope_ = order_ == 2 ? second - first : 0;
  }

  /// The n differences become values. False when a sum may pass 32 bits.
  bool apply(std::int32_t* x, std::size_t n) {
    if (n == 0) return true;
    if (std::abs(minimum_) >= kLimit / 2) return false;
    const auto minimum = static_cast<std::int32_t>(minimum_);
    for (std::size_t i = 0; i < n && to_replace_ > 0; ++i, --to_replace_) x[i] = -minimum;
    std::fill_n(x + n, 8, -minimum);
    const std::int64_t steepest = greatest_magnitude(x, n) + std::abs(minimum_);
    if (order_ == 1) {
      if (!fits(value_, steepest)) return false;
      prefix_sum(x, n, minimum, static_cast<std::int32_t>(value_));
    } else {
      if (!fits(slope_, steepest)) return false;
      prefix_sum(x, n, minimum, static_cast<std::int32_t>(slope_));
      slope_ = x[n - 1];
      if (!fits(value_, greatest_magnitude(x, n))) return false;
      prefix_sum(x, n, 0, static_cast<std::int32_t>(value_));
    }
    value_ = x[n - 1];
    return true;
  }

 private:
  static bool fits(std::int64_t start, std::int64_t step) {
    constexpr auto kSteps = static_cast<std::int64_t>(kTile + 8);
    return std::abs(start) + kSteps * step < kLimit;
  }

  unsigned order_;
  std::int64_t minimum_;
  unsigned to_replace_;
  std::int64_t value_;  // the last value
  std::int64_t slope_;  // its difference from the one before
};

/// For each octet of a mask, lowest bit first: the lanes whose bit is 1, in order.
constexpr auto kPresentLanes = [] {
  std::array<std::array<std::uint8_t, 8>, 256> table{};
  for (unsigned mask = 0; mask < 256; ++mask) {
    std::size_t filled = 0;
    for (std::uint8_t lane = 0; lane < 8; ++lane) {
      if ((mask >> lane & 1U) != 0) table[mask][filled++] = lane;
    }
  }
  return table;
}();

/// Which points of a tile are present: bit i % 8 of octet i / 8.
using Presence = std::array<std::uint8_t, kTile / 8>;

/// Moves the points that are not missing to the front of the tile; gives how many they are.
ICEFIELD_AVX2_KERNEL std::size_t compress(Tile& tile, Presence& presence) {
  std::fill_n(tile.x.data() + tile.size, 8, -1);
  std::int32_t* const x = tile.x.data();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < tile.size; i += 8) {
    const __m256i lanes = load(x + i);
    const auto missing = static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(lanes)));
    const unsigned mask = ~missing & 0xFFU;
    const __m256i order = _mm256_cvtepu8_epi32(
        _mm_loadl_epi64(reinterpret_cast<const __m128i*>(kPresentLanes[mask].data())));
    store(_mm256_permutevar8x32_epi32(lanes, order), x + kept);
    presence[i / 8] = static_cast<std::uint8_t>(mask);
    kept += static_cast<std::size_t>(std::popcount(mask));
  }
  return kept;
}

ICEFIELD_AVX2 void store_or_nan(__m256i x, __m256i missing, const ScalingLanes& by, float* out) {
  const __m256 values = rounded(low_scaled(x, by), high_scaled(x, by));
  _mm256_storeu_ps(out, _mm256_blendv_ps(values, quiet_nan_ps(), _mm256_castsi256_ps(missing)));
}

ICEFIELD_AVX2 void store_or_nan(__m256i x, __m256i missing, const ScalingLanes& by, double* out) {
  const __m256i low = _mm256_cvtepi32_epi64(_mm256_castsi256_si128(missing));
  const __m256i high = _mm256_cvtepi32_epi64(_mm256_extracti128_si256(missing, 1));
  const __m256d nan = quiet_nan_pd();
  _mm256_storeu_pd(out, _mm256_blendv_pd(low_scaled(x, by), nan, _mm256_castsi256_pd(low)));
  _mm256_storeu_pd(out + 4, _mm256_blendv_pd(high_scaled(x, by), nan, _mm256_castsi256_pd(high)));
}

/// Where the eight values of points i.. go: to `out`, or to `last` when fewer than eight are left.
template <typename T>
T* place(std::size_t i, std::size_t n, T* out, std::array<T, 8>& last) {
  return i + 8 <= n ? out + i : last.data();
}

template <typename T>
void finish(std::size_t n, const std::array<T, 8>& last, T* out) {
  std::copy_n(last.data(), n % 8, out + n / 8 * 8);
}

/// Values of a tile without missing points.
template <typename T>
ICEFIELD_AVX2_KERNEL void convert(const Tile& tile, const ScalingLanes& by, T* out) {
  std::array<T, 8> last{};
  for (std::size_t i = 0; i < tile.size; i += 8) {
    store_scaled(load(tile.x.data() + i), by, place(i, tile.size, out, last));
  }
  finish(tile.size, last, out);
}

/// Values of a tile in which -1 marks missing points.
template <typename T>
ICEFIELD_AVX2_KERNEL void convert_marked(const Tile& tile, const ScalingLanes& by, T* out) {
  std::array<T, 8> last{};
  for (std::size_t i = 0; i < tile.size; i += 8) {
    const __m256i x = load(tile.x.data() + i);
    store_or_nan(x, x, by, place(i, tile.size, out, last));
  }
  finish(tile.size, last, out);
}

/// Values of a tile whose present points were moved to the front.
template <typename T>
ICEFIELD_AVX2_KERNEL void convert_compressed(const Tile& tile, const Presence& presence,
                                             const ScalingLanes& by, T* out) {
  std::array<T, 8> last{};
  const std::int32_t* from = tile.x.data();
  for (std::size_t i = 0; i < tile.size; i += 8) {
    const unsigned mask = presence[i / 8];
    const __m256i ranks = expand_ranks_low_first(mask);
    const __m256i x = _mm256_permutevar8x32_epi32(load(from), ranks);
    const __m256i missing = _mm256_slli_epi32(ranks, 28);
    store_or_nan(x, missing, by, place(i, tile.size, out, last));
    from += std::popcount(mask);
  }
  finish(tile.size, last, out);
}

/// A tile's numbers become values in `out`. False when they may pass 32 bits.
template <typename T>
bool finish_tile(const ComplexPacking& packing, Tile& tile, TileSums& sums, const ScalingLanes& by,
                 T* out) {
  if (packing.missing == MissingValues::kNone) {
    if (packing.spatial_order != 0 && !sums.apply(tile.x.data(), tile.size)) return false;
    convert(tile, by, out);
    return true;
  }
  if (!tile.any_present) {
    std::fill_n(out, tile.size, std::numeric_limits<T>::quiet_NaN());
    return true;
  }
  if (packing.spatial_order == 0) {
    convert_marked(tile, by, out);
    return true;
  }
  Presence presence;
  const std::size_t kept = compress(tile, presence);
  if (!sums.apply(tile.x.data(), kept)) return false;
  if (kept == tile.size) {
    convert(tile, by, out);
  } else {
    convert_compressed(tile, presence, by, out);
  }
  return true;
}

template <typename T>
ICEFIELD_AVX2_KERNEL core::Result<Outcome> decode_any(const ComplexPacking& packing,
                                                      const GroupSections& sections,
                                                      std::span<T> out) {
  if (packing.simple.bits_per_value > kWidestReference) return Outcome::kTooWide;
  const ScalingLanes by = lanes_of(scaling_of(packing.simple));
  TileReader reader(packing, sections, out.size());
  TileSums sums(packing, sections);
  Tile tile;
  std::size_t at = 0;
  do {
    TRY_ASSIGN(const auto outcome, reader.fill(tile));
    if (outcome == Outcome::kTooWide) return outcome;
    if (!finish_tile(packing, tile, sums, by, out.data() + at)) return Outcome::kTooWide;
    at += tile.size;
  } while (tile.size != 0);
  return Outcome::kDone;
}

}  // namespace

core::Result<Outcome> decode_complex(const ComplexPacking& packing, const GroupSections& sections,
                                     std::span<float> out) {
  return decode_any(packing, sections, out);
}

core::Result<Outcome> decode_complex(const ComplexPacking& packing, const GroupSections& sections,
                                     std::span<double> out) {
  return decode_any(packing, sections, out);
}

#else
core::Result<Outcome> decode_complex(const ComplexPacking&, const GroupSections&,
                                     std::span<float>) {
  return Outcome::kTooWide;
}
core::Result<Outcome> decode_complex(const ComplexPacking&, const GroupSections&,
                                     std::span<double>) {
  return Outcome::kTooWide;
}
#endif

}  // namespace icefield::grib::avx2
