// Parsing and matching of NOAA inventories, one thread, CPU time; beside gribberish and plain
// Python when ICEFIELD_PEER_PYTHON names an interpreter that has gribberish.
//   bench/idx [FILE.idx]      default: the HRRR inventory of tests/golden
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include "core/file.h"
#include "grib/index/match.h"
#include "grib/index/noaa_idx.h"
#include "grib/index/window.h"
#include "grib_measure.h"

namespace {

using namespace icefield;  // NOLINT: a program of its own

constexpr std::uint64_t kDataSize = std::numeric_limits<std::int64_t>::max();

constexpr const char* kPeer = R"(
import sys, time, gribberish
text = open(sys.argv[1]).read()
lines = text.count("\n")
def least(work):
    best = 1e9
    for _ in range(3):
        begin = time.process_time(); n = 0
        while time.process_time() - begin < 0.3:
            work(); n += 1
        best = min(best, (time.process_time() - begin) / n)
    return best
def report(name, seconds):
    print("%-28s %8.2f M lines/s %9.1f MB/s" % (name, lines / seconds / 1e6, len(text) / seconds / 1e6))
if hasattr(gribberish, "parse_grib_index"):
    report("gribberish parse_grib_index", least(lambda: gribberish.parse_grib_index(text, 1 << 62)))
report("python str.split", least(lambda: [line.split(":") for line in text.splitlines()]))
)";

void report(const char* name, const std::string& text, std::size_t lines, double seconds) {
  std::printf("%-28s %8.2f M lines/s %9.1f MB/s\n", name,
              static_cast<double>(lines) / seconds / 1e6,
              static_cast<double>(text.size()) / seconds / 1e6);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string path = argc > 1 ? argv[1]
                                    : ICEFIELD_SOURCE_DIR
                               "/tests/golden/grib/idx_hrrr.t00z.wrfsfcf08.grib2.idx";
  const auto bytes = core::read_file(path);
  if (!bytes) {
    std::fprintf(stderr, "%s\n", bytes.error().message().c_str());
    return 1;
  }
  const std::string text(core::as_text(*bytes));
  const auto entries = grib::parse_noaa_idx(text, kDataSize);
  if (!entries) {
    std::fprintf(stderr, "%s: %s\n", path.c_str(), entries.error().message().c_str());
    return 1;
  }
  std::vector<grib::WantedField> wanted;
  for (std::uint32_t i = 0; i < entries->size(); i += 2) {
    const auto& entry = (*entries)[i];
    const auto window = grib::parse_window(entry.window);
    if (!window) continue;
    wanted.push_back({std::string(entry.element), std::string(entry.level), *window, i});
  }
  const auto table = grib::MatchTable::compile(wanted);
  std::size_t kept = 0;
  report("icefield parse", text, entries->size(),
         bench::least_cpu(3, 0.3, [&] { kept += grib::parse_noaa_idx(text, kDataSize)->size(); }));
  report("icefield parse and match", text, entries->size(), bench::least_cpu(3, 0.3, [&] {
           kept += table.match(*grib::parse_noaa_idx(text, kDataSize)).hits.size();
         }));
  std::printf("%s", bench::run_peer(kPeer, path).c_str());
  return kept > 0 ? 0 : 1;
}
