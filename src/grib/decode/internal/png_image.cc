#include "grib/decode/internal/png_image.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>

#include <libdeflate.h>

#include "core/bytes.h"
#include "core/text.h"

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
    if (++parts == 2) joined.assign(only.begin(), only.end());
    if (parts >= 2) joined.insert(joined.end(), chunk->data.begin(), chunk->data.end());
    only = chunk->data;
  }
  if (parts == 0) return corrupt("no image data");
  return parts == 1 ? only : std::span<const std::byte>(joined);
}

core::Result<std::vector<std::byte>> inflate(std::span<const std::byte> data, std::size_t size) {
  constexpr std::size_t kMostGain = 1032;  // octets that one octet of a deflate stream can give
  if (size / kMostGain > data.size()) return corrupt("the data are too short for the image");
  const std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)> codec(
      libdeflate_alloc_decompressor(), &libdeflate_free_decompressor);
  if (!codec) return corrupt("the codec does not start");
  std::vector<std::byte> out(size);
  const auto outcome = libdeflate_zlib_decompress(codec.get(), data.data(), data.size(),
                                                  out.data(), out.size(), nullptr);
  if (outcome != LIBDEFLATE_SUCCESS) return corrupt("the data do not unpack to the image");
  return out;
}

std::uint8_t paeth(int left, int above, int corner) {
  const int estimate = left + above - corner;
  const int to_left = std::abs(estimate - left);
  const int to_above = std::abs(estimate - above);
  const int to_corner = std::abs(estimate - corner);
  if (to_left <= to_above && to_left <= to_corner) return static_cast<std::uint8_t>(left);
  return static_cast<std::uint8_t>(to_above <= to_corner ? above : corner);
}

/// Undoes a row's filter (PNG, section 9). `step`: octets of a pixel, at least 1; `above` holds
/// zeros for the first row. False for a filter that does not exist.
bool undo_filter(unsigned filter, std::size_t step, std::span<std::uint8_t> row,
                 std::span<const std::uint8_t> above) {
  const std::size_t n = row.size();
  switch (filter) {
    case 0:
      return true;
    case 1:
      for (std::size_t i = step; i < n; ++i) row[i] += row[i - step];
      return true;
    case 2:
      for (std::size_t i = 0; i < n; ++i) row[i] += above[i];
      return true;
    case 3:
      for (std::size_t i = 0; i < n; ++i) {
        const unsigned left = i < step ? 0U : row[i - step];
        row[i] += static_cast<std::uint8_t>((left + above[i]) / 2U);
      }
      return true;
    case 4:
      for (std::size_t i = 0; i < std::min(step, n); ++i) row[i] += above[i];
      for (std::size_t i = step; i < n; ++i) {
        row[i] += paeth(row[i - step], above[i], above[i - step]);
      }
      return true;
    default:
      return false;
  }
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
                         .bits_per_pixel = colour == 2 ? 24 : colour == 6 ? 32 : depth};
  if (header.width == 0 || header.height == 0) return corrupt("an image without samples");
  return header;
}

core::Result<std::vector<std::byte>> read_png_rows(std::span<const std::byte> file,
                                                   const PngHeader& header) {
  std::vector<std::byte> joined;
  TRY_ASSIGN(const auto data, image_data(file, joined));
  const std::uint64_t row = (std::uint64_t{header.width} * header.bits_per_pixel + 7) / 8;
  TRY_ASSIGN(auto rows, inflate(data, (row + 1) * header.height));
  // Rows move up over the filter octets in front of them.
  auto* const octets = reinterpret_cast<std::uint8_t*>(rows.data());
  const std::vector<std::uint8_t> zeros(row);
  std::span<const std::uint8_t> above(zeros);
  const std::size_t step = std::max(1U, header.bits_per_pixel / 8);
  for (std::uint32_t i = 0; i < header.height; ++i) {
    const std::uint8_t filter = octets[i * (row + 1)];
    const std::span<std::uint8_t> here(octets + i * row, row);
    std::memmove(here.data(), octets + i * (row + 1) + 1, row);
    if (!undo_filter(filter, step, here, above)) {
      return corrupt(core::text("row filter ", filter));
    }
    above = here;
  }
  rows.resize(row * header.height);
  return rows;
}

}  // namespace icefield::grib
