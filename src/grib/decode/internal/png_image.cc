#include "grib/decode/internal/png_image.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include <libdeflate.h>

#include "core/bytes.h"
#include "core/text.h"
#include "grib/decode/internal/png_filter.h"

namespace icefield::grib {
namespace {

core::Error corrupt(const std::string& what) {
  return {core::ErrorCode::kCorrupt, "PNG packing: " + what};
}

constexpr std::array<unsigned char, 8> kSignature = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
constexpr std::size_t kHeaderOctets = 13;
constexpr std::size_t kChunkFrame = 12;  // length, type, checksum

struct Chunk {
  std::span<const std::byte> type, data;
  bool is(const char* name) const { return std::memcmp(type.data(), name, 4) == 0; }
};

/// The chunk at the front of `rest`, which then begins behind it; nothing at a cut.
std::optional<Chunk> take_chunk(std::span<const std::byte>& rest) {
  if (rest.size() < kChunkFrame) return std::nullopt;
  const auto length = core::load_big_endian<std::uint32_t>(rest);
  if (length > rest.size() - kChunkFrame) return std::nullopt;
  const Chunk chunk{.type = rest.subspan(4, 4), .data = rest.subspan(8, length)};
  rest = rest.subspan(kChunkFrame + length);
  return chunk;
}

/// All image data: the one chunk's own bytes, or several joined in `joined`.
core::Result<std::span<const std::byte>> image_data(std::span<const std::byte> file,
                                                    std::vector<std::byte>& joined) {
  std::span<const std::byte> rest = file.subspan(kSignature.size());
  std::span<const std::byte> only;
  std::size_t parts = 0;
  while (const auto chunk = take_chunk(rest)) {
    if (chunk->is("IEND")) break;
    if (!chunk->is("IDAT")) continue;
    if (++parts == 2) {
      joined.reserve(file.size());
      joined.assign(only.begin(), only.end());
    }
    if (parts >= 2) joined.insert(joined.end(), chunk->data.begin(), chunk->data.end());
    only = chunk->data;
  }
  if (parts == 0) return corrupt("no image data");
  return parts == 1 ? only : std::span<const std::byte>(joined);
}

core::Status inflate(std::span<const std::byte> data, std::span<std::byte> out) {
  const std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)> codec(
      libdeflate_alloc_decompressor(), &libdeflate_free_decompressor);
  if (!codec) return corrupt("the codec does not start");
  const auto outcome = libdeflate_zlib_decompress(codec.get(), data.data(), data.size(), out.data(),
                                                  out.size(), nullptr);
  if (outcome != LIBDEFLATE_SUCCESS) return corrupt("the data do not unpack to the image");
  return {};
}

/// Undoes the filters of all rows, which stand in front of them, one octet each.
core::Status undo_filters(std::span<std::uint8_t> octets, std::size_t row_octets,
                          std::size_t step) {
  const std::size_t stride = row_octets + 1;
  const std::size_t height = octets.size() / stride;
  const std::vector<std::uint8_t> zeros(row_octets);
  std::span<const std::uint8_t> above(zeros);
  const auto filter = [&](std::size_t i) { return octets[i * stride]; };
  const auto row = [&](std::size_t i) { return octets.subspan(i * stride + 1, row_octets); };
  for (std::size_t i = 0; i < height; ++i) {
    if (filter(i) == kPaethFilter && i + 1 < height && filter(i + 1) == kPaethFilter) {
      undo_png_paeth_pair(step, row(i), row(i + 1), above);
      ++i;
    } else if (!undo_png_filter(filter(i), step, row(i), above)) {
      return corrupt(core::text("row filter ", filter(i)));
    }
    above = row(i);
  }
  return {};
}

}  // namespace

core::Result<PngHeader> read_png_header(std::span<const std::byte> file) {
  if (file.size() < kSignature.size() ||
      std::memcmp(file.data(), kSignature.data(), kSignature.size()) != 0) {
    return corrupt("no PNG signature");
  }
  auto rest = file.subspan(kSignature.size());
  const auto chunk = take_chunk(rest);
  if (!chunk || !chunk->is("IHDR") || chunk->data.size() != kHeaderOctets) {
    return corrupt("no PNG header");
  }
  const auto octet = [&](std::size_t at) { return std::to_integer<unsigned>(chunk->data[at]); };
  const unsigned depth = octet(8);
  const unsigned colour = octet(9);
  const bool interlaced = octet(12) != 0;
  const bool grey = colour == 0 && depth >= 1 && depth <= 16 && (depth & (depth - 1)) == 0;
  const bool colours = (colour == 2 || colour == 6) && depth == 8;
  if (interlaced || octet(10) != 0 || octet(11) != 0 || !(grey || colours)) {
    return core::Error(core::ErrorCode::kUnsupported,
                       core::text("PNG packing: colour type ", colour, " with ", depth, " bits",
                                  interlaced ? ", interlaced" : ""));
  }
  const PngHeader header{.width = core::load_big_endian<std::uint32_t>(chunk->data, 0),
                         .height = core::load_big_endian<std::uint32_t>(chunk->data, 4),
                         .bits_per_pixel = colour == 2   ? 24
                                           : colour == 6 ? 32
                                                         : depth};
  if (header.width == 0 || header.height == 0) return corrupt("an image without samples");
  return header;
}

core::Result<PngRows> read_png_rows(std::span<const std::byte> file, const PngHeader& header) {
  constexpr std::uint64_t kMostGain = 1032;  // octets that one octet of a deflate stream can give
  std::vector<std::byte> joined;
  TRY_ASSIGN(const auto data, image_data(file, joined));
  const std::uint64_t row_octets = (std::uint64_t{header.width} * header.bits_per_pixel + 7) / 8;
  const std::uint64_t size = (row_octets + 1) * header.height;
  if (size / kMostGain > data.size()) return corrupt("the data are too short for the image");
  PngRows rows{.octets = std::make_unique_for_overwrite<std::byte[]>(size),  // NOLINT: as above
               .row_octets = row_octets};
  TRY(inflate(data, {rows.octets.get(), size}));
  auto* const octets = reinterpret_cast<std::uint8_t*>(rows.octets.get());
  TRY(undo_filters({octets, size}, row_octets, std::max(1U, header.bits_per_pixel / 8)));
  return rows;
}

}  // namespace icefield::grib
