#include "zarr/chunk_key.h"

#include <charconv>
#include <vector>

#include "core/text.h"
#include "zarr/metadata/extension.h"

namespace icefield::zarr {
namespace {

/// A number without leading zeros that fits 32 bits.
std::optional<std::uint32_t> read_number(std::string_view text) {
  if (text.empty() || (text.size() > 1 && text[0] == '0')) return std::nullopt;
  std::uint32_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, value);
  if (problem != std::errc() || stop != end) return std::nullopt;
  return value;
}

std::optional<ChunkIndex> read_numbers(std::string_view text, char separator, std::size_t rank) {
  std::vector<std::uint32_t> index;
  for (;;) {
    const std::size_t stop = text.find(separator);
    const auto number = read_number(text.substr(0, stop));
    if (!number || index.size() == rank) return std::nullopt;
    index.push_back(*number);
    if (stop == std::string_view::npos) break;
    text.remove_prefix(stop + 1);
  }
  if (index.size() != rank) return std::nullopt;
  return ChunkIndex(std::move(index));
}

}  // namespace

std::string chunk_key(const ChunkKeyEncoding& encoding, const ChunkIndex& index) {
  const bool v2 = encoding.kind == ChunkKeyEncoding::Kind::kV2;
  if (v2 && index.value().empty()) return "0";
  std::string key = v2 ? "" : "c";
  for (const std::uint32_t number : index.value()) {
    if (!key.empty()) key += encoding.separator;
    key += std::to_string(number);
  }
  return key;
}

std::optional<ChunkIndex> parse_chunk_key(const ChunkKeyEncoding& encoding, std::string_view key,
                                          std::size_t rank) {
  if (encoding.kind == ChunkKeyEncoding::Kind::kV2) {
    if (rank != 0) return read_numbers(key, encoding.separator, rank);
    if (key != "0") return std::nullopt;
    return ChunkIndex();
  }
  if (rank == 0) {
    if (key != "c") return std::nullopt;
    return ChunkIndex();
  }
  if (key.size() < 3 || key[0] != 'c' || key[1] != encoding.separator) return std::nullopt;
  return read_numbers(key.substr(2), encoding.separator, rank);
}

core::Result<ChunkKeyEncoding> read_chunk_key_encoding(const core::Json& json) {
  TRY_ASSIGN(const auto extension, read_extension(json, "chunk_key_encoding"));
  ChunkKeyEncoding encoding;
  if (extension.name == "v2") {
    encoding = {ChunkKeyEncoding::Kind::kV2, '.'};
  } else if (extension.name != "default") {
    return core::Error(core::ErrorCode::kUnsupported,
                       "chunk_key_encoding '" + extension.name + "'");
  }
  const core::Json* const separator = extension.configuration.find("separator");
  if (separator == nullptr) return encoding;
  if (!separator->is_string() || (separator->as_string() != "/" && separator->as_string() != ".")) {
    return core::Error(core::ErrorCode::kCorrupt,
                       "chunk_key_encoding separator is neither '/' nor '.'");
  }
  encoding.separator = separator->as_string()[0];
  return encoding;
}

core::Json write_chunk_key_encoding(const ChunkKeyEncoding& encoding) {
  const bool v2 = encoding.kind == ChunkKeyEncoding::Kind::kV2;
  return write_extension({v2 ? "v2" : "default",
                          core::Json::object({{"separator", std::string(1, encoding.separator)}})});
}

}  // namespace icefield::zarr
