#pragma once

#include <cstddef>
#include <span>

namespace icefield::grib {

/// For each whole octet of `bitmap`, last first: the octet's 1 bits take the values before
/// out[value] in order, its 0 bits become a quiet NaN; octet i covers out[8 * i] to out[8 * i + 7].
/// Precondition: `value` is the number of 1 bits, bitmap.size() * 8 <= out.size().
void expand_octets_backward(std::span<const std::byte> bitmap, std::size_t value,
                            std::span<float> out);
void expand_octets_backward(std::span<const std::byte> bitmap, std::size_t value,
                            std::span<double> out);

}  // namespace icefield::grib
