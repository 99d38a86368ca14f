#include "sample_source/synthetic_field.h"

#include <array>
#include <vector>

#include "core/random.h"

namespace icefield::sample_source {
namespace {

/// Share of each wave in 1/16 of the whole.
constexpr std::array<std::int32_t, 4> kShares = {8, 4, 2, 2};

/// Whole-grid turns of each wave, in 1/256: at least, and how many more at most.
constexpr std::array<std::uint32_t, 4> kLeastTurns = {200, 320, 600, 900};
constexpr std::array<std::uint32_t, 4> kMoreTurns = {200, 300, 500, 700};

/// sine_q15 at each of `count` places while the angle makes `turn` / 256 turns.
std::vector<std::int32_t> sample(std::size_t count, std::uint32_t phase, std::uint32_t turn) {
  const std::uint64_t step = (std::uint64_t{turn} << 24U) / (count > 1 ? count - 1 : 1);
  std::vector<std::int32_t> sines;
  sines.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    sines.push_back(sine_q15(phase + static_cast<std::uint32_t>(step * i)));
  }
  return sines;
}

}  // namespace

std::int32_t sine_q15(std::uint32_t angle) {
  // quarter turn by x = 0..1 (here 0..2^15): x * (a - x^2 * (b - x^2 * c)), a odd polynomial whose
  // value and slope are right at both ends
  constexpr std::int64_t kA = 51472;  // pi / 2, in 1/2^15
  constexpr std::int64_t kB = 21048;  // pi - 5 / 2
  constexpr std::int64_t kC = 2344;   // pi / 2 - 3 / 2
  const bool negative = angle >= (1U << 31U);
  std::uint32_t in_half = angle & ((1U << 31U) - 1);
  if (in_half > (1U << 30U)) in_half = (1U << 31U) - in_half;
  const std::int64_t x = in_half >> 15U;
  const std::int64_t square = (x * x) >> 15;
  const std::int64_t sine = (x * (kA - ((square * (kB - ((square * kC) >> 15))) >> 15))) >> 15;
  return static_cast<std::int32_t>(negative ? -sine : sine);
}

std::uint64_t seed_from(std::uint64_t seed, std::string_view text) {
  std::uint64_t state = seed;
  for (const char letter : text) {
    state ^= static_cast<unsigned char>(letter);
    state = core::splitmix64(state);
  }
  return core::splitmix64(state);
}

SyntheticField::SyntheticField(std::uint64_t seed, std::uint32_t hours) : waves_() {
  std::uint64_t state = seed;
  for (std::size_t i = 0; i < kWaves; ++i) {
    const std::uint64_t drawn = core::splitmix64(state);
    const std::uint64_t turns = core::splitmix64(state);
    // between 1/180 and 1/45 of a turn per hour, faster for the shorter waves
    const auto speed = static_cast<std::uint32_t>(23860929U * (i + 1));
    waves_[i] = {
        .column_phase = static_cast<std::uint32_t>(drawn) + hours * speed,
        .column_turn = kLeastTurns.at(i) + static_cast<std::uint32_t>(turns % kMoreTurns.at(i)),
        .row_phase = static_cast<std::uint32_t>(drawn >> 32U),
        .row_turn =
            kLeastTurns.at(i) + static_cast<std::uint32_t>((turns >> 32U) % kMoreTurns.at(i))};
  }
}

void SyntheticField::fill(const GridShape& shape, std::int32_t span,
                          std::span<std::int32_t> out) const {
  // column waves have 15 fraction bits and row waves 2; the sum of all shares is span / 2
  constexpr std::int32_t kFractionBits = 17;
  std::array<std::vector<std::int32_t>, kWaves> columns;
  std::array<std::vector<std::int32_t>, kWaves> rows;
  for (std::size_t i = 0; i < kWaves; ++i) {
    columns.at(i) = sample(shape.columns, waves_[i].column_phase, waves_[i].column_turn);
    rows.at(i) = sample(shape.rows, waves_[i].row_phase, waves_[i].row_turn);
    for (std::int32_t& row : rows.at(i)) row = (row * kShares.at(i) / 16 * span) >> 14;
  }
  const std::int32_t middle = (span << (kFractionBits - 1)) + (1 << (kFractionBits - 1));
  for (std::size_t j = 0; j < shape.rows; ++j) {
    const std::int32_t row0 = rows[0][j];
    const std::int32_t row1 = rows[1][j];
    const std::int32_t row2 = rows[2][j];
    const std::int32_t row3 = rows[3][j];
    const std::int32_t* column0 = columns[0].data();
    const std::int32_t* column1 = columns[1].data();
    const std::int32_t* column2 = columns[2].data();
    const std::int32_t* column3 = columns[3].data();
    std::int32_t* line = out.data() + j * shape.columns;
    for (std::size_t i = 0; i < shape.columns; ++i) {
      line[i] = (middle + row0 * column0[i] + row1 * column1[i] + row2 * column2[i] +
                 row3 * column3[i]) >>
                kFractionBits;
    }
  }
}

}  // namespace icefield::sample_source
