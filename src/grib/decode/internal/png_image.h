#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/result.h"

namespace icefield::grib {

/// What the header chunk of a PNG file says.
struct PngHeader {
  std::uint32_t width = 0;      // samples
  std::uint32_t height = 0;     // rows
  unsigned bits_per_pixel = 0;  // 1, 2, 4, 8, 16, 24 or 32
};

/// Reads the signature and the header.
/// Errors: kCorrupt; kUnsupported for palettes, interlacing, grey with alpha, 16-bit colours.
core::Result<PngHeader> read_png_header(std::span<const std::byte> file);

/// An image unpacked: row i are the row_octets octets from i * (row_octets + 1) + 1 on.
struct PngRows {
  std::unique_ptr<std::byte[]> octets;  // NOLINT: an array that need not be cleared first
  std::size_t row_octets = 0;           // ceil(width * bits_per_pixel / 8)
  std::span<const std::byte> row(std::size_t i) const {
    return {octets.get() + i * (row_octets + 1) + 1, row_octets};
  }
};

/// The rows of an image whose size the caller has found to be what it wants. Checksums of chunks
/// are not checked.
/// Errors: kCorrupt when the data do not unpack to exactly the image, or could never do so.
core::Result<PngRows> read_png_rows(std::span<const std::byte> file, const PngHeader& header);

}  // namespace icefield::grib
