// Many processes that commit to one branch (bench/icechunk_compare.py runs the official library
// beside).
//
//   build/release/bench/icechunk_contend [WRITERS=32] [COMMITS=4] [LATENCY_MS=0]
//                                        [contiguous|scattered] [apart|serial] [light]
//
// COMMITS of each writer, into 20 arrays of 32 windows; LATENCY_MS is slept before every request;
// `apart` gives each writer a folder for temporary files of its own, as on machines of their own,
// so that none knows of the others; `serial`: one does it all in turn; `light`: one array, nearly
// empty windows. Prints one JSON line.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "core/large_memory.h"
#include "icechunk/assets/asset_store.h"
#include "icechunk_contention.h"
#include "object_store/testing/faulty_store.h"

namespace icefield::icechunk::bench {
namespace {

struct Plan : Contention {
  std::chrono::milliseconds latency{0};
  bool apart = false;
  bool serial = false;
};

/// Commits of one writer; gives per commit a line "seconds, rebases, manifest bytes, bytes" to
/// `out`.
void write_commits(const Folder& folder, const Plan& plan, std::uint32_t w, std::FILE* out) {
  if (plan.apart) {
    const auto own = folder.path() / core::text("machine-", w);
    std::filesystem::create_directories(own);
    ::setenv("TMPDIR", own.c_str(), 1);  // NOLINT: this process has one thread
  }
  const Store inner = folder.store();
  const Store store = object_store_testing::make_faulty_store(*inner, {.latency = plan.latency});
  const auto repository = must(Repository::open(store));
  for (std::uint32_t k = 0; k < plan.commits; ++k) {
    auto session = must(repository.writable_session("main"));
    plan.stage(session, w, k);
    const auto start = SteadyClock::now();
    const auto result = must(commit(session, core::text("w", w, " k", k)));
    std::fprintf(out, "%.6f %u %llu %llu\n", seconds_since(start), result.rebase_attempts,
                 static_cast<unsigned long long>(result.manifest_bytes),
                 static_cast<unsigned long long>(result.bytes_written));
    std::fflush(out);
  }
}

struct Outcome {
  std::vector<double> seconds;  // of each commit, ascending
  std::vector<std::uint32_t> rebases;
  std::uint64_t manifest_bytes = 0;
  std::uint64_t bytes = 0;
  double wall = 0;
  double cpu = 0;
};

Outcome run_writers(const Folder& folder, const Plan& plan) {
  int results[2];
  if (::pipe(results) != 0) std::exit(1);
  const auto start = SteadyClock::now();
  const double cpu_before = children_cpu_seconds();
  std::vector<::pid_t> children;
  for (std::uint32_t w = 0; w < (plan.serial ? 1 : plan.writers); ++w) {
    const ::pid_t child = ::fork();
    if (child == 0) {
      std::FILE* out = ::fdopen(results[1], "w");
      const std::uint32_t end = plan.serial ? plan.writers : w + 1;
      for (std::uint32_t own = w; own < end; ++own) write_commits(folder, plan, own, out);
      ::_exit(0);
    }
    children.push_back(child);
  }
  ::close(results[1]);
  Outcome outcome;
  std::FILE* in = ::fdopen(results[0], "r");
  double one = 0;
  unsigned attempts = 0;
  unsigned long long manifests = 0;
  unsigned long long bytes = 0;
  while (std::fscanf(in, "%lf %u %llu %llu", &one, &attempts, &manifests, &bytes) ==
         4) {  // NOLINT: our own text
    outcome.seconds.push_back(one);
    outcome.rebases.push_back(attempts);
    outcome.manifest_bytes += manifests;
    outcome.bytes += bytes;
  }
  std::fclose(in);
  for (const ::pid_t child : children) ::waitpid(child, nullptr, 0);
  outcome.wall = seconds_since(start);
  outcome.cpu = children_cpu_seconds() - cpu_before;
  std::ranges::sort(outcome.seconds);
  std::ranges::sort(outcome.rebases);
  return outcome;
}

/// Snapshots whose metadata tells the number of lost races.
std::uint64_t count_stamped(const Repository& repository) {
  std::uint64_t stamped = 0;
  const auto info = must(repository.info());
  for (const SnapshotInfo& snapshot : must(repository.ancestry(must(repository.tip("main"))))) {
    for (const auto& [name, value] : must(decode_metadata(snapshot.metadata))) {
      if (name == "__icechunk" && value.find("rebase_attempts") != nullptr) ++stamped;
    }
  }
  return stamped;
}

void contend(const Plan& plan) {
  const Folder folder;
  in_child([&] { plan.make_base(folder.store()); });
  const Outcome outcome = run_writers(folder, plan);
  const auto repository = must(Repository::open(folder.store()));
  const auto history = must(repository.ancestry(must(repository.tip("main"))));
  const auto commits = static_cast<double>(outcome.seconds.size());
  const core::Json shown =
      core::Json::object({{"writers", plan.writers},
                          {"mode", plan.scattered ? "scattered" : "contiguous"},
                          {"latency_ms", std::int64_t{plan.latency.count()}},
                          {"apart", plan.apart},
                          {"commits_asked", plan.writers * plan.commits},
                          {"commits", std::uint64_t{outcome.seconds.size()}},
                          {"in_history", std::uint64_t{history.size() - 2}},
                          {"stamped", count_stamped(repository) - 1},
                          {"missing_references", plan.count_missing(repository)},
                          {"commits_per_s", commits / outcome.wall},
                          {"cpu_s", outcome.cpu},
                          {"median_s", quantile(outcome.seconds, 0.5)},
                          {"slowest_s", outcome.seconds.back()},
                          {"rebases_p50", quantile(outcome.rebases, 0.5)},
                          {"rebases_p99", quantile(outcome.rebases, 0.99)},
                          {"rebases_max", outcome.rebases.back()},
                          {"manifest_bytes", outcome.manifest_bytes},
                          {"bytes_written", outcome.bytes}});
  std::puts(shown.dump().c_str());
}

}  // namespace
}  // namespace icefield::icechunk::bench

int main(int argc, char** argv) {
  icefield::core::keep_freed_memory();  // as the executable does
  using namespace icefield::icechunk;   // NOLINT: a program's own namespace
  const std::vector<std::string> words(argv + 1, argv + argc);
  bench::Plan plan;
  plan.writers = bench::number(words, 0, plan.writers);
  plan.commits = bench::number(words, 1, plan.commits);
  plan.latency = std::chrono::milliseconds(bench::number(words, 2, 0));
  plan.scattered = std::ranges::count(words, "scattered") > 0;
  plan.apart = std::ranges::count(words, "apart") > 0;
  plan.serial = std::ranges::count(words, "serial") > 0;
  if (std::ranges::count(words, "light") > 0) {
    plan.arrays = 1;
    plan.filled = 1;
    plan.split = 1 + 16;
  }
  bench::contend(plan);
  return 0;
}
