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

#include "icechunk/assets/asset_store.h"
#include "icechunk_workload.h"
#include "object_store/testing/faulty_store.h"

namespace icefield::icechunk::bench {
namespace {

struct Plan {
  std::uint32_t arrays = 20;
  std::uint32_t windows = 32;
  std::uint32_t filled = 54;
  std::uint32_t leads = 19;
  std::uint32_t split = 54 + 16;
  std::uint32_t references = 8;
  std::uint32_t spread = 4;
  std::uint32_t writers = 32;
  std::uint32_t commits = 4;
  std::chrono::milliseconds latency{0};
  bool scattered = false;
  bool apart = false;
  bool serial = false;

  /// (init, lead) of commit `k` of writer `w`.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> cells(std::uint32_t w,
                                                             std::uint32_t k) const {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> chosen;
    for (std::uint32_t j = 0; j < references; ++j) {
      std::uint32_t window = 0;
      std::uint32_t slot = 0;
      if (scattered) {
        const std::uint32_t step = windows / spread;
        window = (j % spread) * step + (w + k) % step;
        slot = (w * commits + k) * ((references + spread - 1) / spread) + j / spread;
      } else {
        const std::uint32_t own = std::max(1U, windows / writers);
        window = (w * own + k % own) % windows;
        slot = ((w / windows) * commits + k) * references + j;
      }
      chosen.emplace_back(window * split + filled + slot / leads, slot % leads);
    }
    return chosen;
  }
};

void make_base(const Folder& folder, const Plan& plan) {
  const auto repository = new_repository(folder.store(), plan.split);
  auto session = must(repository.writable_session("main"));
  create_arrays(session, plan.arrays, plan.split * plan.windows, plan.leads);
  for (std::uint32_t w = 0; w < plan.windows; ++w) {
    fill(session, {0, plan.arrays}, w * plan.split, plan.filled, plan.leads);
  }
  must(commit(session, "base"));
}

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
    for (std::uint32_t a = 0; a < plan.arrays; ++a) {
      Cells cells;
      for (const auto& [init, lead] : plan.cells(w, k))
        cells.add(session, a, init, lead, plan.leads);
      cells.stage(session, a);
    }
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
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  outcome.cpu = static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
  std::ranges::sort(outcome.seconds);
  std::ranges::sort(outcome.rebases);
  return outcome;
}

/// What the repository says afterwards: references that should be there and are not.
std::uint64_t count_missing(const Repository& repository, const Plan& plan) {
  const auto session = must(repository.readonly_session(BranchName("main")));
  std::uint64_t missing = 0;
  for (std::uint32_t a = 0; a < plan.arrays; ++a) {
    std::vector<std::uint32_t> wanted;
    for (std::uint32_t w = 0; w < plan.writers; ++w) {
      for (std::uint32_t k = 0; k < plan.commits; ++k) {
        for (const auto& [init, lead] : plan.cells(w, k)) {
          wanted.insert(wanted.end(), {init, lead, 0, 0});
        }
      }
    }
    const auto have = must(session.have_chunks(array_name(a), wanted));
    missing += static_cast<std::uint64_t>(std::ranges::count(have, false));
  }
  return missing;
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
  in_child([&] { make_base(folder, plan); });
  const double before = [] {
    rusage usage{};
    ::getrusage(RUSAGE_CHILDREN, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
  }();
  const Outcome outcome = run_writers(folder, plan);
  const auto repository = must(Repository::open(folder.store()));
  const auto history = must(repository.ancestry(must(repository.tip("main"))));
  const auto at = [](const auto& sorted, double share) {
    return sorted[static_cast<std::size_t>(static_cast<double>(sorted.size() - 1) * share)];
  };
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
                          {"missing_references", count_missing(repository, plan)},
                          {"commits_per_s", commits / outcome.wall},
                          {"cpu_s", outcome.cpu - before},
                          {"median_s", at(outcome.seconds, 0.5)},
                          {"slowest_s", outcome.seconds.back()},
                          {"rebases_p50", at(outcome.rebases, 0.5)},
                          {"rebases_p99", at(outcome.rebases, 0.99)},
                          {"rebases_max", outcome.rebases.back()},
                          {"manifest_bytes", outcome.manifest_bytes},
                          {"bytes_written", outcome.bytes}});
  std::puts(shown.dump().c_str());
}

}  // namespace
}  // namespace icefield::icechunk::bench

int main(int argc, char** argv) {
  using namespace icefield::icechunk;  // NOLINT: a program's own namespace
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
