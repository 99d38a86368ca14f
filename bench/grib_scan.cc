// Header scan of a GRIB file, one thread, CPU time; beside gribberish and ecCodes when
// ICEFIELD_PEER_PYTHON names an interpreter that has them.
//   bench/grib_scan [FILE]    default: a file of about 500 MiB made of small and large messages
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "core/file.h"
#include "grib/scan/scan.h"
#include "grib_measure.h"

namespace {

using namespace icefield;  // NOLINT: a program of its own

constexpr const char* kPeer = R"(
import sys, time
path = sys.argv[1]
def report(name, work):
    begin = time.process_time(); count = work(); spent = time.process_time() - begin
    print("%-28s %12.0f messages/s" % (name, count / spent))
def eccodes_headers():
    import eccodes as ec
    count = 0
    with open(path, "rb") as file:
        while (handle := ec.codes_grib_new_from_file(file, True)) is not None:
            for key in ("offset", "shortName", "typeOfLevel", "level", "stepRange", "dataDate"):
                ec.codes_get(handle, key)
            ec.codes_release(handle); count += 1
    return count
def gribberish_metadata():
    import gribberish
    data = open(path, "rb").read()
    at = count = 0
    while at + 16 <= len(data):
        gribberish.parse_grib_message_metadata(data[at:at + 8192], 0)
        at += int.from_bytes(data[at + 8:at + 16], "big"); count += 1
    return count
for name, work in (("gribberish metadata", gribberish_metadata), ("eccodes headers", eccodes_headers)):
    try:
        report(name, work)
    except ImportError:
        pass
)";

/// One message of `octets`: a golden message whose data section is stretched with zeros.
std::string stretched(const std::string& message, std::uint64_t octets) {
  if (octets <= message.size()) return message;
  const auto more = octets - message.size();
  std::string out = message.substr(0, message.size() - 4);
  std::size_t at = 16;
  const auto number = [&](std::size_t from) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      value = (value << 8U) | static_cast<unsigned char>(out[from + i]);
    }
    return value;
  };
  while (out[at + 4] != 7) at += number(at);
  const auto store = [&](std::size_t from, std::uint64_t value, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      out[from + i] = static_cast<char>((value >> (8 * (count - 1 - i))) & 0xFFU);
    }
  };
  store(at, number(at) + more, 4);
  store(8, octets, 8);
  return out + std::string(more, '\0') + "7777";
}

/// 0.7 MiB messages with small ones between, as forecast files have them.
bool write_sample(const std::string& path) {
  const auto golden = core::read_file(ICEFIELD_SOURCE_DIR "/tests/golden/grib/idx_base.grib2");
  if (!golden) return false;
  constexpr std::size_t kFirst = 203;
  const std::string message(core::as_text(*golden).substr(0, kFirst));
  const auto large = stretched(message, 700U << 10U);
  const auto small = stretched(message, 4096);
  std::ofstream file(path, std::ios::binary);
  for (int i = 0; i < 700; ++i) {
    file << large;
    for (int j = 0; j < 10; ++j) file << small;
  }
  return static_cast<bool>(file.flush());
}

}  // namespace

int main(int argc, char** argv) {
  const bool own = argc < 2;
  const std::string path =
      own ? (std::filesystem::temp_directory_path() / "icefield_grib_scan.grib2").string()
          : argv[1];
  if (own && !write_sample(path)) return 1;
  std::uint64_t messages = 0;
  const double seconds = bench::least_cpu(5, 0.0, [&] {
    const auto file = core::MappedFile::open(path);
    if (!file) return;
    const auto found = grib::scan(*file);
    messages = found ? found->messages : 0;
  });
  std::printf("%-28s %12.0f messages/s   %.4f s for %llu messages\n", "icefield scan",
              static_cast<double>(messages) / seconds, seconds,
              static_cast<unsigned long long>(messages));
  std::printf("%s", bench::run_peer(kPeer, path).c_str());
  if (own) std::filesystem::remove(path);
  return messages > 0 ? 0 : 1;
}
