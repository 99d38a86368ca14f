#include "mutate.h"

#include <algorithm>
#include <array>

namespace icefield::fuzz {
namespace {

/// Uniform in [0, end); 0 when end is 0.
std::size_t below(std::size_t end, Random& random) {
  return end == 0 ? 0 : random() % end;
}

std::ptrdiff_t signed_at(std::size_t at) {
  return static_cast<std::ptrdiff_t>(at);
}

/// A range [first, first + length) of `bytes` with at most `longest` octets.
std::span<const std::uint8_t> any_range(std::span<const std::uint8_t> bytes, std::size_t longest,
                                        Random& random) {
  const std::size_t first = below(bytes.size(), random);
  const std::size_t rest = std::min(bytes.size() - first, longest);
  return bytes.subspan(first, rest == 0 ? 0 : 1 + below(rest, random));
}

void flip_bit(Input& input, Random& random) {
  if (input.empty()) return;
  input[below(input.size(), random)] ^= static_cast<std::uint8_t>(1U << below(8, random));
}

void set_octet(Input& input, Random& random) {
  if (!input.empty()) input[below(input.size(), random)] = static_cast<std::uint8_t>(random());
}

/// Lengths, counts and offsets sit in integers: the values around their limits find the unchecked.
void set_integer(Input& input, Random& random) {
  constexpr std::array<std::uint64_t, 14> kBoundaries = {
      0,      1,          0x7F,       0x80,       0xFF,       0x7FFF,     0x8000,
      0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 1ULL << 40, 1ULL << 63, ~0ULL};
  const std::size_t width = std::size_t{1} << below(4, random);
  if (input.size() < width) return;
  const std::size_t at = below(input.size() - width + 1, random);
  const std::uint64_t value = kBoundaries[below(kBoundaries.size(), random)] + below(5, random) - 2;
  const bool big_endian = below(2, random) == 0;
  for (std::size_t i = 0; i < width; ++i) {
    input[at + (big_endian ? width - 1 - i : i)] = static_cast<std::uint8_t>(value >> (8 * i));
  }
}

void cut_range(Input& input, Random& random) {
  const auto range = any_range(input, 1 + input.size() / 4, random);
  const auto first = input.begin() + (range.data() - input.data());
  input.erase(first, first + signed_at(range.size()));
}

void cut_tail(Input& input, Random& random) {
  input.resize(below(input.size() + 1, random));
}

void insert_copy(Input& input, std::span<const std::uint8_t> source, Random& random) {
  const auto range = any_range(source, 4096, random);
  const Input copy(range.begin(), range.end());
  const auto at = input.begin() + signed_at(below(input.size() + 1, random));
  input.insert(at, copy.begin(), copy.end());
}

void overwrite_copy(Input& input, std::span<const std::uint8_t> source, Random& random) {
  const auto range = any_range(source, 4096, random);
  const Input copy(range.begin(), range.end());
  const std::size_t at = below(input.size() + 1, random);
  const std::size_t count = std::min(copy.size(), input.size() - at);
  std::copy_n(copy.begin(), count, input.begin() + signed_at(at));
}

void insert_noise(Input& input, Random& random) {
  Input noise(1 + below(16, random));
  for (auto& octet : noise) octet = static_cast<std::uint8_t>(random());
  const auto at = input.begin() + signed_at(below(input.size() + 1, random));
  input.insert(at, noise.begin(), noise.end());
}

}  // namespace

Input mutate(std::span<const Input> corpus, std::size_t max_length, Random& random) {
  Input input = corpus[below(corpus.size(), random)];
  const std::size_t changes = 1 + below(8, random);
  for (std::size_t i = 0; i < changes; ++i) {
    const Input& other = corpus[below(corpus.size(), random)];
    switch (below(12, random)) {
      case 0:
      case 1:
        flip_bit(input, random);
        break;
      case 2:
        set_octet(input, random);
        break;
      case 3:
      case 4:
      case 5:
        set_integer(input, random);
        break;
      case 6:
        cut_range(input, random);
        break;
      case 7:
        cut_tail(input, random);
        break;
      case 8:
        insert_copy(input, Input(input), random);
        break;
      case 9:
        insert_copy(input, other, random);
        break;
      case 10:
        overwrite_copy(input, other, random);
        break;
      default:
        insert_noise(input, random);
        break;
    }
  }
  if (input.size() > max_length) input.resize(max_length);
  return input;
}

}  // namespace icefield::fuzz
