#include <algorithm>
#include <array>

#include "zarr/codec/internal/codec.h"

namespace icefield::zarr {
namespace {

template <typename Make>
struct Row {
  std::string_view name;
  Make make;
};
using ArrayRow = Row<core::Result<ArrayCodecPtr> (*)(const core::Json&, const ChunkSpec&)>;
using SerializerRow =
    Row<core::Result<SerializerCodecPtr> (*)(const core::Json&, const ChunkSpec&)>;
using BytesRow = Row<core::Result<BytesCodecPtr> (*)(const core::Json&)>;

// The whole list. A new codec is one file pair, its test, and one row here.
constexpr std::array kArrayCodecs = {
    ArrayRow{"transpose", make_transpose},
    ArrayRow{"scale_offset", make_scale_offset},
};
constexpr std::array kSerializers = {
    SerializerRow{"bytes", make_bytes},
    SerializerRow{"sharding_indexed", make_sharding},
    SerializerRow{"gribberish", make_gribberish},
};
constexpr std::array kBytesCodecs = {
    BytesRow{"blosc", make_blosc},
    BytesRow{"zstd", make_zstd},
    BytesRow{"gzip", make_gzip},
    BytesRow{"crc32c", make_crc32c},
};

template <typename Rows>
auto find_row(const Rows& rows, std::string_view name) -> decltype(&rows[0]) {
  const auto found = std::ranges::find_if(rows, [&](const auto& row) { return row.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace

core::Result<AnyCodec> make_codec(const Extension& extension, const ChunkSpec& chunk) {
  const std::string& name = extension.name;
  const core::Json& configuration = extension.configuration;
  if (const auto* const row = find_row(kArrayCodecs, name)) {
    TRY_ASSIGN(auto codec, row->make(configuration, chunk));
    return AnyCodec(std::move(codec));
  }
  if (const auto* const row = find_row(kSerializers, name)) {
    TRY_ASSIGN(auto codec, row->make(configuration, chunk));
    return AnyCodec(std::move(codec));
  }
  if (const auto* const row = find_row(kBytesCodecs, name)) {
    TRY_ASSIGN(auto codec, row->make(configuration));
    return AnyCodec(std::move(codec));
  }
  return core::Error(core::ErrorCode::kUnsupported, "codec '" + name + "'");
}

std::size_t bytes_of(const ChunkSpec& chunk) {
  std::size_t bytes = size_of(chunk.data_type);
  for (const std::uint64_t extent : chunk.shape) bytes *= extent;
  return bytes;
}

core::Status only_members(const core::Json& configuration, std::string_view codec,
                          std::initializer_list<std::string_view> known) {
  if (!configuration.is_object()) return {};
  for (const auto& [name, value] : configuration.as_object()) {
    if (std::ranges::find(known, name) == known.end()) {
      return codec_error(core::ErrorCode::kCorrupt, codec, "unknown member '" + name + "'");
    }
  }
  return {};
}

core::Result<int> integer_member(const core::Json& configuration, std::string_view name,
                                 int fallback, std::pair<int, int> bounds) {
  const core::Json* const found = configuration.find(name);
  if (found == nullptr) return fallback;
  if (!found->is_integer() || found->as_int64() < bounds.first ||
      found->as_int64() > bounds.second) {
    return core::Error(core::ErrorCode::kCorrupt, std::string(name) + " is out of range");
  }
  return static_cast<int>(found->as_int64());
}

}  // namespace icefield::zarr
