#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "grib/decode/internal/bits.h"

/// Vector forms of the steps of aec_reader.h and sample_predictor.h; results are theirs to the bit.
/// Arrays have room for 16 entries behind the last. Call only when has_avx2().
namespace icefield::grib::avx2 {

/// Widest sample that restore() takes: sums of neighbours stay within 32 bits with sign.
inline constexpr unsigned kWidestSample = 30;

/// Places of the 1 bits of `bytes` from bit `position` on, relative to `position`, until at least
/// `count` are found or the bytes end. Gives how many were written: up to 64 more than `count`.
std::size_t find_ones(std::span<const std::byte> bytes, std::uint64_t position, std::size_t count,
                      std::uint32_t* ones);

/// numbers[i] = (ones[i] - ones[i - 1] - 1) << low.width | low number i, with ones[-1] = -1.
/// False when loads would pass the end or low.width is above 25: nothing was done.
bool join_split(const std::uint32_t* ones, const PackedIntegers& low,
                std::span<std::uint32_t> numbers);

/// Mapped prediction errors become samples, in place; `before` is the sample in front of the first.
/// Stops in front of eight errors of which one lies outside the symmetric range.
/// Gives how many samples were made.
std::size_t restore(std::span<std::uint32_t> numbers, std::uint32_t before, std::uint32_t greatest);

}  // namespace icefield::grib::avx2
