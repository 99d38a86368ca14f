#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace icefield::grib {

/// Undoes a row's filter in place (PNG specification, section 9). `step`: octets of a pixel, 1 to
/// 4; `above`: the row before, unfiltered, zeros for the first row, of the same size. False for a
/// filter that does not exist.
bool undo_png_filter(unsigned filter, std::size_t step, std::span<std::uint8_t> row,
                     std::span<const std::uint8_t> above);

inline constexpr unsigned kPaethFilter = 4;

/// The same for two neighbouring rows that both have the Paeth filter, in half the time.
void undo_png_paeth_pair(std::size_t step, std::span<std::uint8_t> first,
                         std::span<std::uint8_t> second, std::span<const std::uint8_t> above);

}  // namespace icefield::grib
