#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/result.h"

namespace icefield::grib {

/// What the header chunk of a PNG file says.
struct PngHeader {
  std::uint32_t width = 0;   // samples
  std::uint32_t height = 0;  // rows
  unsigned bits_per_pixel = 0;  // 1, 2, 4, 8, 16, 24 or 32
};

/// Reads the signature and the header.
/// Errors: kCorrupt; kUnsupported for palettes, interlacing, grey with alpha, 16-bit colours.
core::Result<PngHeader> read_png_header(std::span<const std::byte> file);

/// The unpacked rows, each of ceil(width * bits_per_pixel / 8) octets, one after another.
/// The caller has checked that the header's image is of a size it wants. Checksums are not checked.
/// Errors: kCorrupt when the data do not unpack to exactly the image, or could never do so.
core::Result<std::vector<std::byte>> read_png_rows(std::span<const std::byte> file,
                                                   const PngHeader& header);

}  // namespace icefield::grib
