#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace icefield::fuzz {

using Input = std::vector<std::uint8_t>;
using Random = std::mt19937_64;

/// A copy of one of `corpus`, changed in one to eight ways: flipped bits, boundary integers of
/// 1 to 8 octets in either byte order, ranges cut, repeated, inserted, or taken from another input.
/// The same state of `random` gives the same bytes. `corpus` must not be empty; the result has at
/// most `max_length` octets.
Input mutate(std::span<const Input> corpus, std::size_t max_length, Random& random);

}  // namespace icefield::fuzz
