#include <charconv>
#include <limits>

#include "core/text.h"
#include "icechunk/format/path.h"
#include "icechunk/session/zarr_store.h"

namespace icefield::icechunk {
namespace {

/// A chunk number as it is written: no sign, no leading zeros.
std::optional<std::uint32_t> parse_number(std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (text.size() > 1 && text.front() == '0') return std::nullopt;
  return number;
}

std::string path_of(const std::vector<std::string>& segments, std::size_t count) {
  std::string path;
  for (std::size_t i = 0; i < count; ++i) path += "/" + segments[i];
  return path.empty() ? "/" : path;
}

}  // namespace

std::optional<ZarrKey> parse_zarr_key(std::string_view key) {
  const auto segments = core::split(key, '/');
  for (const std::string& segment : segments) {
    if (segment.empty() || segment == "." || segment == "..") return std::nullopt;
  }
  if (segments.back() == "zarr.json") {
    return MetadataKey{.path = path_of(segments, segments.size() - 1)};
  }
  ChunkIndex reversed;
  for (std::size_t at = segments.size(); at-- > 0;) {
    if (segments[at] == "c") {
      return ChunkKey{.path = path_of(segments, at),
                      .index = ChunkIndex(reversed.rbegin(), reversed.rend())};
    }
    const auto number = parse_number(segments[at]);
    if (!number) return std::nullopt;
    reversed.push_back(*number);
  }
  return std::nullopt;
}

std::string metadata_key(std::string_view path) {
  return path == "/" ? "zarr.json" : std::string(path.substr(1)) + "/zarr.json";
}

std::string chunk_key_text(std::string_view path, ChunkIndexView index) {
  std::string key = path == "/" ? "c" : std::string(path.substr(1)) + "/c";
  for (const std::uint32_t number : index) {
    key += '/';
    key += std::to_string(number);
  }
  return key;
}

}  // namespace icefield::icechunk
