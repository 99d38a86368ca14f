#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace icefield::sample_source {

/// Columns and rows of the grid that is filled, first row in the south.
struct GridShape {
  std::size_t columns = 0;
  std::size_t rows = 0;
  std::size_t points() const { return columns * rows; }
};

/// Four waves that cross the grid. Same waves, same field on every machine: all arithmetic is on
/// integers.
class SyntheticField {
 public:
  /// Waves chosen by `seed`, moved on by `hours`; a different `seed` or `hours` gives a different
  /// field.
  SyntheticField(std::uint64_t seed, std::uint32_t hours);

  /// Fills `out` row by row with numbers that run smoothly over [0, span].
  /// Preconditions: out.size() == shape.points(); 0 <= span <= 8192.
  void fill(const GridShape& shape, std::int32_t span, std::span<std::int32_t> out) const;

 private:
  static constexpr std::size_t kWaves = 4;

  /// A product of a wave along columns and one along rows. Angles: 2^32 is a whole turn.
  struct Wave {
    std::uint32_t column_phase = 0;
    std::uint32_t column_turn = 0;  // over the whole grid, in 1/256 turns
    std::uint32_t row_phase = 0;
    std::uint32_t row_turn = 0;  // the same, over all rows
  };

  Wave waves_[kWaves];
};

/// sin(2 pi angle / 2^32) * 2^15, within 12 units.
std::int32_t sine_q15(std::uint32_t angle);

/// A number that depends on every byte of `text` and on `seed`.
std::uint64_t seed_from(std::uint64_t seed, std::string_view text);

}  // namespace icefield::sample_source
