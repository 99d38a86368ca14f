#pragma once

#if defined(__x86_64__)
#include <algorithm>
#include <array>
#include <cstdint>

#include "grib/decode/internal/complex_simd.h"
#include "grib/decode/internal/simd_blocks.h"

namespace icefield::grib::avx2 {

// Numbers of 0..30 bits leave the sign bit of a 32-bit lane free: -1 marks a missing point.
inline constexpr unsigned kWidestReference = 30;
inline constexpr std::size_t kTile =
    1024;  // points worked on at a time; they stay in the first cache

struct Tile {
  // room for one vector behind the last point: whole vectors are written
  alignas(32) std::array<std::int32_t, kTile + 8> x = {};
  std::size_t size = 0;
  bool any_present = false;
};

/// Fills tiles with group reference + number, -1 where missing.
class TileReader {
 public:
  TileReader(const ComplexPacking& packing, const GroupSections& sections, std::size_t n_points)
      : packing_(packing), numbers_(sections.numbers), groups_(packing, sections, n_points) {}

  /// Errors: kCorrupt as GroupReader. kTooWide: give up.
  core::Result<Outcome> fill(Tile& tile) {
    tile.size = 0;
    tile.any_present = false;
    while (tile.size < kTile) {
      if (group_ == groups_.size()) {
        TRY(groups_.load_next());
        group_ = 0;
        if (groups_.size() == 0) break;
        if (groups_.greatest_width() > kWidestLane) return Outcome::kTooWide;
      }
      const std::size_t left = groups_.length(group_) - done_;
      const std::size_t take = std::min(left, kTile - tile.size);
      emit(tile, take);
      tile.size += take;
      done_ += take;
      if (take == left) {
        ++group_;
        done_ = 0;
      }
    }
    return Outcome::kDone;
  }

 private:
  void emit(Tile& tile, std::size_t take) {
    const unsigned width = groups_.width(group_);
    std::int32_t* to = tile.x.data() + tile.size;
    if (width == 0) {
      const std::uint32_t reference = groups_.reference(group_);
      const bool missing = is_mark(reference, packing_.simple.bits_per_value);
      fill_lanes(missing ? -1 : static_cast<std::int32_t>(reference), take, to);
      tile.any_present |= !missing;
      return;
    }
    tile.any_present = true;
    const std::uint64_t end = (position_ + take * width) / 8 + kReadAhead + width;
    if (end <= numbers_.size()) {
      if (packing_.missing == MissingValues::kNone) {
        emit_lanes<MissingValues::kNone>(width, take, to);
      } else if (packing_.missing == MissingValues::kPrimary) {
        emit_lanes<MissingValues::kPrimary>(width, take, to);
      } else {
        emit_lanes<MissingValues::kPrimaryAndSecondary>(width, take, to);
      }
    } else {
      emit_plainly(width, take, to);
    }
    position_ += take * width;
  }

  bool is_mark(std::uint32_t number, unsigned width) const {
    if (packing_.missing == MissingValues::kNone) return false;
    const std::uint32_t primary = (1U << width) - 1;
    const bool secondary = packing_.missing == MissingValues::kPrimaryAndSecondary;
    return number == primary || (secondary && number + 1 == primary);
  }

  void emit_plainly(unsigned width, std::size_t take, std::int32_t* to) const {
    for (std::size_t i = 0; i < take; ++i) {
      const auto number =
          static_cast<std::uint32_t>(read_bits(numbers_, position_ + i * width, width));
      to[i] = is_mark(number, width)
                  ? -1
                  : static_cast<std::int32_t>(groups_.reference(group_) + number);
    }
  }

  ICEFIELD_AVX2_KERNEL static void fill_lanes(std::int32_t x, std::size_t take, std::int32_t* to) {
    const __m256i lanes = _mm256_set1_epi32(x);
    for (std::size_t i = 0; i < take; i += 8) {
      store(lanes, to + i);
    }
  }

  template <MissingValues kManagement>
  ICEFIELD_AVX2_KERNEL void emit_lanes(unsigned width, std::size_t take, std::int32_t* to) const {
    const NarrowReader reader(width, static_cast<unsigned>(position_ % 8));
    const __m256i reference =
        _mm256_set1_epi32(static_cast<std::int32_t>(groups_.reference(group_)));
    const __m256i primary = _mm256_set1_epi32(static_cast<std::int32_t>((1U << width) - 1));
    const __m256i secondary = _mm256_sub_epi32(primary, _mm256_set1_epi32(1));
    const std::byte* from = numbers_.data() + position_ / 8;
    for (std::size_t i = 0; i < take; i += 8, from += width) {
      const __m256i number = reader.read(from);
      __m256i x = _mm256_add_epi32(number, reference);
      if constexpr (kManagement != MissingValues::kNone) {
        x = _mm256_or_si256(x, _mm256_cmpeq_epi32(number, primary));
      }
      if constexpr (kManagement == MissingValues::kPrimaryAndSecondary) {
        x = _mm256_or_si256(x, _mm256_cmpeq_epi32(number, secondary));
      }
      store(x, to + i);
    }
  }

  const ComplexPacking& packing_;
  std::span<const std::byte> numbers_;
  GroupReader groups_;
  std::size_t group_ = 0;       // in the batch
  std::size_t done_ = 0;        // points of that group
  std::uint64_t position_ = 0;  // bit of the next number
};

}  // namespace icefield::grib::avx2
#endif
