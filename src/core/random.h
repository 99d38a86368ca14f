#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace icefield::core {

/// Fills `out` with bytes that no other process will produce (getrandom). For ids and names.
void fill_random(std::span<std::byte> out);

/// 64 such bits.
std::uint64_t random_u64();

/// The next value of the splitmix64 sequence; advances `state`. For repeatable synthetic data.
constexpr std::uint64_t splitmix64(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9E3779B97F4A7C15ULL);
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31U);
}

}  // namespace icefield::core
