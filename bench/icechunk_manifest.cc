// Manifests: CPU per reference to build, open, find and walk, and bytes per reference, for
// references like those of an hourly forecast archive (init_time, lead_time, 1, 1): one message of
// one file each, with offsets that vary by 6 % and lengths by 30 % from file to file.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include "core/random.h"
#include "core/time.h"
#include "icechunk/format/manifest.h"
#include "icechunk/format/manifest_builder.h"

namespace icefield {
namespace {

using icechunk::Manifest;
using icechunk::ManifestBuilder;
using icechunk::ManifestEffort;
using icechunk::ManifestId;
using icechunk::NodeId;

struct Case {
  const char* name;
  std::uint32_t arrays;  // in one manifest
  std::uint32_t inits;
  std::uint32_t leads;
};

struct Staged {
  std::uint32_t init = 0;
  std::uint32_t lead = 0;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::string location = {};
};

double fraction(std::uint64_t seed) {
  std::uint64_t state = seed;
  return static_cast<double>(core::splitmix64(state) >> 11U) / 9007199254740992.0;
}

std::vector<Staged> references(std::uint32_t array, const Case& what) {
  constexpr std::uint32_t kFirstInit = 88'000;  // hours after the first of the archive
  const double base_offset = 7.5e7 * fraction(array + 7'000'003);
  const double base_length = std::exp2(15 + 6 * fraction(array + 9'000'003));
  std::vector<Staged> made;
  for (std::uint32_t i = 0; i < what.inits; ++i) {
    const auto at = core::Timestamp(core::Seconds(1'406'678'400 + 3600LL * (kFirstInit + i)));
    const std::string date = core::format_timestamp(at);
    const std::string day = date.substr(0, 4) + date.substr(5, 2) + date.substr(8, 2);
    for (std::uint32_t lead = 0; lead < what.leads; ++lead) {
      const std::uint64_t cell = (std::uint64_t{i} * what.leads + lead) * 1'000'003 + array;
      std::string number = std::to_string(lead + 100).substr(1);
      made.push_back(
          {.init = kFirstInit + i,
           .lead = lead,
           .offset = static_cast<std::uint64_t>(base_offset * (0.97 + 0.06 * fraction(cell))),
           .length = static_cast<std::uint64_t>(base_length * (0.85 + 0.3 * fraction(~cell))),
           .location = "vcc://noaa-hrrr-bdp-pds/hrrr." + day + "/conus/hrrr.t" +
                       date.substr(11, 2) + "z.wrfsfcf" + number + ".grib2"});
    }
  }
  return made;
}

double seconds_since(std::clock_t start) {
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

void require(bool holds, std::string_view what) {
  if (holds) return;
  std::fprintf(stderr, "failed: %.*s\n", static_cast<int>(what.size()), what.data());
  std::exit(1);
}

void measure(const Case& what, ManifestEffort effort) {
  std::vector<NodeId> nodes;
  std::vector<std::vector<Staged>> staged;
  for (std::uint32_t a = 0; a < what.arrays; ++a) {
    nodes.push_back(a == 0 ? NodeId({7, 1, 2, 3, 4, 5, 6, 0}) : nodes.back().successor());
    staged.push_back(references(a, what));
  }
  const double count = double{1} * what.arrays * what.inits * what.leads;

  auto start = std::clock();
  ManifestBuilder builder(ManifestId::random(), effort);
  for (std::uint32_t a = 0; a < what.arrays; ++a) {
    for (const Staged& one : staged[a]) {
      const std::uint32_t index[] = {one.init, one.lead, 0, 0};
      const auto added = builder.add(
          nodes[a], index,
          icechunk::VirtualView{.location = one.location, .range = {one.offset, one.length}});
      require(added.has_value(), "add");
    }
  }
  const double add_ns = seconds_since(start) * 1e9 / count;
  const auto raw = static_cast<double>(builder.raw_bytes());
  start = std::clock();
  const auto built = std::move(builder).finish();
  require(built.has_value(), "finish");
  const double finish_ns = seconds_since(start) * 1e9 / count;

  start = std::clock();
  const auto manifest = icechunk::decode_manifest(built->bytes);
  require(manifest.has_value(), "decode");
  const double open_ns = seconds_since(start) * 1e9 / count;

  start = std::clock();
  std::uint64_t sum = 0;
  std::string scratch;
  for (std::size_t a = 0; a < manifest->array_count(); ++a) {
    const auto array = manifest->array(a);
    for (std::size_t i = 0; i < array.size(); ++i) {
      const auto view = array.view(i, scratch);
      sum += std::get<icechunk::VirtualView>(*view).range.offset + array.index(i)[0];
    }
  }
  const double walk_ns = seconds_since(start) * 1e9 / count;

  constexpr int kProbes = 1'000'000;
  std::uint64_t state = 42;
  start = std::clock();
  int found = 0;
  for (int i = 0; i < kProbes; ++i) {
    const std::uint64_t random = core::splitmix64(state);
    const std::uint32_t index[] = {
        88'000 + static_cast<std::uint32_t>(random >> 33U) % (what.inits + 1),
        static_cast<std::uint32_t>(random) % (what.leads + 1), 0, 0};
    found += manifest->contains(nodes[random % what.arrays], index) ? 1 : 0;
  }
  const double find_ns = seconds_since(start) * 1e9 / kProbes;
  std::printf(
      "%-26s %-7s: %8.0f refs  %6.2f B/ref (%5.1f raw)  ns/ref: add %4.0f finish %5.0f "
      "open %4.0f walk %3.0f; ns/probe %4.0f  (%d found, %llu)\n",
      what.name, effort == ManifestEffort::kCommit ? "commit" : "compact", count,
      static_cast<double>(built->bytes.size()) / count, raw / count, add_ns, finish_ns, open_ns,
      walk_ns, find_ns, found, static_cast<unsigned long long>(sum));
}

}  // namespace
}  // namespace icefield

int main() {
  using icefield::Case;
  const Case cases[] = {
      {"one array, 49 leads", 1, 2000, 49},     {"one array, 19 leads", 1, 5000, 19},
      {"one array, analysis", 1, 100'000, 1},   {"one array, small append", 1, 6, 49},
      {"142 arrays, 2 refs each", 142, 2, 1},   {"142 arrays, 49 refs each", 142, 1, 49},
      {"one array, 1.5 M refs", 1, 30'000, 49},
  };
  for (const Case& one : cases) {
    for (const auto effort : {icefield::icechunk::ManifestEffort::kCommit,
                              icefield::icechunk::ManifestEffort::kCompact}) {
      icefield::measure(one, effort);
    }
  }
}
