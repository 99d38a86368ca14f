// Decoding of GRIB edition 2 messages into the caller's buffer, one thread, CPU time.
//   bench/grib_decode [--dtype float32|float64] [--seconds S] MESSAGE_FILE...
// Each file's first message is decoded again and again, headers included; one JSON line per file.
// grib_decode.py runs this and the peers in turn and prints the ratios.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/bytes.h"
#include "core/file.h"
#include "grib/decode/decode.h"
#include "grib_measure.h"

namespace {

using namespace icefield;  // NOLINT: a program of its own

struct Sections {
  std::uint32_t n_points = 0;
  std::span<const std::byte> representation;
  std::span<const std::byte> data;
  std::optional<std::span<const std::byte>> bitmap;
};

/// The first field of the message that `bytes` begins with; nothing when it is not one.
std::optional<Sections> find_sections(std::span<const std::byte> bytes) {
  constexpr std::size_t kFirstSection = 16;
  constexpr std::byte kNoBitmap{255};
  Sections found;
  std::size_t at = kFirstSection;
  while (at + 5 <= bytes.size()) {
    const std::size_t length = core::load_big_endian<std::uint32_t>(bytes, at);
    if (length < 5 || length > bytes.size() - at) return std::nullopt;
    const auto section = bytes.subspan(at, length);
    switch (std::to_integer<int>(section[4])) {
      case 3:
        found.n_points = core::load_big_endian<std::uint32_t>(section, 6);
        break;
      case 5:
        found.representation = section;
        break;
      case 6:
        if (section[5] != kNoBitmap) found.bitmap = section.subspan(6);
        break;
      case 7:
        found.data = section.subspan(5);
        return found;
      default:
        break;
    }
    at += length;
  }
  return std::nullopt;
}

template <typename T>
bool decode_message(std::span<const std::byte> bytes, std::vector<T>& out) {
  const auto sections = find_sections(bytes);
  if (!sections) return false;
  out.resize(sections->n_points);
  const auto representation = grib::parse_representation(sections->representation);
  if (!representation) return false;
  const grib::PackedField field{.data = sections->data, .bitmap = sections->bitmap};
  const auto status = grib::decode(*representation, field, std::span<T>(out));
  if (!status) std::fprintf(stderr, "%s\n", status.error().message().c_str());
  return status.has_value();
}

template <typename T>
int measure(const std::string& path, double seconds) {
  const auto bytes = core::read_file(path);
  std::vector<T> out;
  if (!bytes || !decode_message<T>(*bytes, out)) {
    std::fprintf(stderr, "%s: no message that decodes\n", path.c_str());
    return 1;
  }
  const double cpu = bench::least_cpu(1, seconds, [&] { decode_message<T>(*bytes, out); });
  std::printf("{\"file\": \"%s\", \"points\": %zu, \"cpu_s\": %.9g}\n", path.c_str(), out.size(),
              cpu);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  double seconds = 0.3;
  bool single = true;
  int failed = 0;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--seconds" && i + 1 < argc) {
      seconds = std::strtod(argv[++i], nullptr);
    } else if (argument == "--dtype" && i + 1 < argc) {
      single = std::string_view(argv[++i]) == "float32";
    } else {
      failed |= single ? measure<float>(argv[i], seconds) : measure<double>(argv[i], seconds);
    }
  }
  return failed;
}
