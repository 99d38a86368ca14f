#include "cli/npy.h"

#include <bit>
#include <fstream>
#include <string>

#include "core/text.h"

namespace icefield::cli {
namespace {

static_assert(std::endian::native == std::endian::little);

/// Magic, version, length of the dictionary, dictionary padded so that the data start at 64 n.
std::string header(std::string_view type, const std::vector<std::size_t>& shape) {
  std::string dimensions;
  for (const auto size : shape) dimensions += core::text(size, ",");
  auto dictionary =
      core::text("{'descr': '", type, "', 'fortran_order': False, 'shape': (", dimensions, "), }");
  constexpr std::size_t kFixed = 10;
  constexpr std::size_t kAlignment = 64;
  const auto whole = kFixed + dictionary.size() + 1;
  dictionary.append((kAlignment - whole % kAlignment) % kAlignment, ' ');
  dictionary += '\n';
  std::string out("\x93NUMPY\x01\x00", 8);
  out += static_cast<char>(dictionary.size() & 0xFFU);
  out += static_cast<char>(dictionary.size() >> 8U);
  return out + dictionary;
}

template <typename Value>
core::Status write(const std::filesystem::path& path, std::span<const Value> values,
                   const std::vector<std::size_t>& shape, std::string_view type) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  const auto head = header(type, shape);
  file.write(head.data(), static_cast<std::streamsize>(head.size()));
  const auto bytes = std::as_bytes(values);
  file.write(reinterpret_cast<const char*>(bytes.data()),  // NOLINT: char may alias
             static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (file) return {};
  return core::Error(core::ErrorCode::kUnavailable, core::text("cannot write ", path.string()));
}

}  // namespace

core::Status write_npy(const std::filesystem::path& path, std::span<const float> values,
                       const std::vector<std::size_t>& shape) {
  return write(path, values, shape, "<f4");
}

core::Status write_npy(const std::filesystem::path& path, std::span<const double> values,
                       const std::vector<std::size_t>& shape) {
  return write(path, values, shape, "<f8");
}

}  // namespace icefield::cli
