// Tens of millions of references by consecutive commits: memory is that of one commit, not of the
// archive.
//
//   build/release/bench/icechunk_stream [MILLIONS=72] [ARRAYS=300] [COMMIT_MILLIONS=8] [STORE]
//
// Windows of 500 inits of 48 leads; a commit fills whole windows of every array. STORE is kept when
// it is named, for bench/icechunk_official.py resolve, which looks references up. Prints one JSON
// line with what a thousand million references would take at the same rates.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/large_memory.h"
#include "icechunk_workload.h"

namespace icefield::icechunk::bench {
namespace {

constexpr std::uint32_t kLeads = 48;
constexpr std::uint32_t kWindow = 500;

struct Totals {
  std::uint64_t references = 0;
  std::uint64_t commits = 0;
  std::uint64_t manifests = 0;
  std::uint64_t manifest_bytes = 0;
  std::uint64_t bytes = 0;
  double commit_cpu = 0;
};

void stream(const Store& store, std::uint32_t arrays, std::uint32_t inits,
            std::uint32_t inits_at_once, Totals& totals) {
  const auto repository = new_repository(store, kWindow);
  {
    auto session = must(repository.writable_session("main"));
    create_arrays(session, arrays, inits, kLeads);
    must(commit(session, "arrays"));
  }
  for (std::uint32_t first = 0; first < inits; first += inits_at_once) {
    auto session = must(repository.writable_session("main"));
    fill(session, {0, arrays}, first, std::min(inits_at_once, inits - first), kLeads);
    const double cpu = cpu_seconds();
    const auto done = must(commit(session, core::text("inits from ", first), {},
                                  {.layout = ManifestLayout::kWindows, .conflicts = {}}));
    totals.commit_cpu += cpu_seconds() - cpu;
    totals.references += done.references;
    totals.manifests += done.manifests_written;
    totals.manifest_bytes += done.manifest_bytes;
    totals.bytes += done.bytes_written;
    ++totals.commits;
  }
}

/// Presence of positions all over the archive, by a process that has seen nothing of it.
std::uint64_t count_missing(const Store& store, std::uint32_t arrays, std::uint32_t inits) {
  const auto repository = must(Repository::open(store));
  const auto session = must(repository.readonly_session(BranchName("main")));
  std::uint64_t state = 1;
  std::uint64_t missing = 0;
  for (int i = 0; i < 1000; ++i) {
    const auto array = static_cast<std::uint32_t>(core::splitmix64(state) % arrays);
    const auto init = static_cast<std::uint32_t>(core::splitmix64(state) % inits);
    const auto lead = static_cast<std::uint32_t>(core::splitmix64(state) % kLeads);
    missing += must(session.has_chunk(array_name(array), ChunkIndex{init, lead, 0, 0})) ? 0U : 1U;
  }
  return missing;
}

void run(std::uint32_t millions, std::uint32_t arrays, std::uint32_t commit_millions,
         const std::optional<std::string>& kept) {
  const Folder folder;
  const Store store = kept ? Store(must(object_store::make_local_store(*kept))) : folder.store();
  const std::uint64_t row = std::uint64_t{arrays} * kLeads;  // references of one init
  const auto inits = static_cast<std::uint32_t>(std::uint64_t{millions} * 1'000'000 / row);
  const auto wanted = static_cast<std::uint32_t>(std::uint64_t{commit_millions} * 1'000'000 / row);
  const std::uint32_t at_once = std::max(kWindow, wanted / kWindow * kWindow);
  Totals totals;
  forget_peak();
  const auto start = SteadyClock::now();
  const double cpu = cpu_seconds();
  stream(store, arrays, inits, at_once, totals);
  const double wall = seconds_since(start);
  const double spent = cpu_seconds() - cpu;
  const double peak = peak_mib();
  const auto count = static_cast<double>(totals.references);
  constexpr double kBillion = 1e9;
  std::puts(core::Json::object({{"references", totals.references},
                                {"arrays", arrays},
                                {"inits", inits},
                                {"commits", totals.commits},
                                {"references_per_commit", std::uint64_t{at_once} * row},
                                {"manifests", totals.manifests},
                                {"references_per_s", count / wall},
                                {"cpu_us_per_reference", spent * 1e6 / count},
                                {"commit_cpu_us_per_reference", totals.commit_cpu * 1e6 / count},
                                {"manifest_bytes_per_reference",
                                 static_cast<double>(totals.manifest_bytes) / count},
                                {"bytes_per_reference", static_cast<double>(totals.bytes) / count},
                                {"peak_mib", peak},
                                {"missing_of_1000", count_missing(store, arrays, inits)},
                                {"billion_cpu_s", spent * kBillion / count},
                                {"billion_gb", static_cast<double>(totals.manifest_bytes) / count}})
                .dump()
                .c_str());
}

}  // namespace
}  // namespace icefield::icechunk::bench

int main(int argc, char** argv) {
  icefield::core::keep_freed_memory();  // as the executable does
  using namespace icefield::icechunk;   // NOLINT: a program's own namespace
  const std::vector<std::string> words(argv + 1, argv + argc);
  bench::run(bench::number(words, 0, 72), bench::number(words, 1, 300), bench::number(words, 2, 8),
             words.size() > 3 ? std::optional(words[3]) : std::nullopt);
  return 0;
}
