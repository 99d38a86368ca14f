#include "grib/decode/jpeg2000_packing.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include <openjpeg.h>

#include "core/bytes.h"
#include "core/text.h"
#include "grib/decode/internal/scaling.h"
#include "grib/decode/simple_packing.h"

namespace icefield::grib {
namespace {

using Codec = std::unique_ptr<opj_codec_t, decltype(&opj_destroy_codec)>;
using Stream = std::unique_ptr<opj_stream_t, decltype(&opj_stream_destroy)>;
using Image = std::unique_ptr<opj_image_t, decltype(&opj_image_destroy)>;

core::Error corrupt(const std::string& what) {
  return {core::ErrorCode::kCorrupt, "JPEG 2000 packing: " + what};
}

/// The library's view of a span.
struct Cursor {
  std::span<const std::byte> bytes;
  std::size_t at = 0;
};

OPJ_SIZE_T read_from(void* buffer, OPJ_SIZE_T wanted, void* user) {
  auto& cursor = *static_cast<Cursor*>(user);
  const std::size_t taken = std::min<std::size_t>(wanted, cursor.bytes.size() - cursor.at);
  if (taken == 0) return static_cast<OPJ_SIZE_T>(-1);
  std::memcpy(buffer, cursor.bytes.data() + cursor.at, taken);
  cursor.at += taken;
  return taken;
}

OPJ_OFF_T skip_in(OPJ_OFF_T count, void* user) {
  auto& cursor = *static_cast<Cursor*>(user);
  if (count < 0) return -1;
  const std::size_t skipped =
      std::min<std::size_t>(static_cast<std::size_t>(count), cursor.bytes.size() - cursor.at);
  cursor.at += skipped;
  return static_cast<OPJ_OFF_T>(skipped);
}

OPJ_BOOL seek_in(OPJ_OFF_T position, void* user) {
  auto& cursor = *static_cast<Cursor*>(user);
  if (position < 0 || static_cast<std::size_t>(position) > cursor.bytes.size()) return OPJ_FALSE;
  cursor.at = static_cast<std::size_t>(position);
  return OPJ_TRUE;
}

void ignore_message(const char*, void*) {}

Stream open_stream(Cursor& cursor) {
  Stream stream(opj_stream_create(OPJ_J2K_STREAM_CHUNK_SIZE, OPJ_STREAM_READ), &opj_stream_destroy);
  if (stream) {
    opj_stream_set_read_function(stream.get(), read_from);
    opj_stream_set_skip_function(stream.get(), skip_in);
    opj_stream_set_seek_function(stream.get(), seek_in);
    opj_stream_set_user_data(stream.get(), &cursor, nullptr);
    opj_stream_set_user_data_length(stream.get(), cursor.bytes.size());
  }
  return stream;
}

/// A bare code stream, or one inside the JP2 container.
OPJ_CODEC_FORMAT format_of(std::span<const std::byte> data) {
  constexpr std::array<unsigned char, 4> kContainer = {0, 0, 0, 12};
  const bool contained =
      data.size() > 4 && std::memcmp(data.data(), kContainer.data(), kContainer.size()) == 0;
  return contained ? OPJ_CODEC_JP2 : OPJ_CODEC_J2K;
}

/// The size marker that begins a code stream: the library sets up every tile that it implies before
/// it tells the image's size, some kilobytes each. GRIB's images are one tile or a few.
core::Status check_tiles(std::span<const std::byte> data) {
  constexpr std::array kStart = {std::byte{0xFF}, std::byte{0x4F}, std::byte{0xFF},
                                 std::byte{0x51}};
  constexpr std::size_t kMarkerOctets = 40;
  constexpr std::uint64_t kMostTiles = 4096;
  while (true) {
    const auto found = std::ranges::search(data, kStart);
    data = data.subspan(static_cast<std::size_t>(found.begin() - data.begin()));
    if (data.size() < kMarkerOctets) return {};  // the library refuses what is too short
    const auto number = [data](std::size_t at) -> std::uint64_t {
      return core::load_big_endian<std::uint32_t>(data, at);
    };
    const auto tiles = [&number](std::size_t size, std::size_t tile, std::size_t first) {
      const auto end = number(size);
      const auto begin = number(first);
      const auto step = std::max<std::uint64_t>(number(tile), 1);
      return end > begin ? (end - begin + step - 1) / step : 0;
    };
    const auto count = tiles(8, 24, 32) * tiles(12, 28, 36);
    if (count > kMostTiles) return corrupt(core::text("an image of ", count, " tiles"));
    data = data.subspan(kStart.size());
  }
}

/// Width times height and one component must be what the grid needs, before samples are allocated.
core::Status check_shape(const opj_image_t& image, std::size_t n_values) {
  if (image.numcomps != 1) return corrupt(core::text(image.numcomps, " components"));
  const std::uint64_t wide = image.comps[0].w;
  const std::uint64_t high = image.comps[0].h;
  const std::uint64_t area = std::uint64_t{image.x1 - image.x0} * (image.y1 - image.y0);
  if (wide * high != n_values || area != n_values) {
    return corrupt(
        core::text("an image of ", wide, " x ", high, " samples for ", n_values, " values"));
  }
  return {};
}

core::Result<Image> read_image(std::span<const std::byte> data, std::size_t n_values) {
  TRY(check_tiles(data));
  Cursor cursor{.bytes = data};
  const Stream stream = open_stream(cursor);
  const Codec codec(opj_create_decompress(format_of(data)), &opj_destroy_codec);
  if (!stream || !codec) return corrupt("the codec does not start");
  opj_set_info_handler(codec.get(), ignore_message, nullptr);
  opj_set_warning_handler(codec.get(), ignore_message, nullptr);
  opj_set_error_handler(codec.get(), ignore_message, nullptr);
  opj_dparameters_t parameters;
  opj_set_default_decoder_parameters(&parameters);
  if (opj_setup_decoder(codec.get(), &parameters) == OPJ_FALSE) {
    return corrupt("the codec refuses its parameters");
  }
  opj_image_t* header = nullptr;
  const bool begun = opj_read_header(stream.get(), codec.get(), &header) != OPJ_FALSE;
  Image image(header, &opj_image_destroy);
  if (!begun) return corrupt("no readable image header");
  TRY(check_shape(*image, n_values));
  if (opj_decode(codec.get(), stream.get(), image.get()) == OPJ_FALSE) {
    return corrupt("the code stream cannot be decoded");
  }
  TRY(check_shape(*image, n_values));
  if (image->comps[0].data == nullptr) return corrupt("no samples");
  return image;
}

template <typename T>
core::Status decode_any(const Jpeg2000Packing& packing, std::span<const std::byte> data,
                        std::span<T> out) {
  if (packing.simple.bits_per_value == 0) return decode_packed(packing.simple, data, out);
  TRY_ASSIGN(const auto image, read_image(data, out.size()));
  const Scaling scaling = scaling_of(packing.simple);
  const OPJ_INT32* samples = image->comps[0].data;
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = static_cast<T>(scaling.value(samples[i]));
  }
  return {};
}

}  // namespace

core::Status decode_packed(const Jpeg2000Packing& packing, std::span<const std::byte> data,
                           std::span<float> out) {
  return decode_any(packing, data, out);
}

core::Status decode_packed(const Jpeg2000Packing& packing, std::span<const std::byte> data,
                           std::span<double> out) {
  return decode_any(packing, data, out);
}

}  // namespace icefield::grib
