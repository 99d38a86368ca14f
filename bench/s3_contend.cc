// Many processes that commit to one branch of a repository on an object store:
//
//   build/release/bench/s3_contend URL [WRITERS=32] [COMMITS=4] [contiguous|scattered]
//
// Makes a repository of 20 arrays of 32 windows below URL and lets each writer publish COMMITS
// commits of eight references per array. The store's address, and a proxy's that delays, come from
// the environment. Prints one JSON line; the repository stays.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include "core/random.h"
#include "icechunk_workload.h"
#include "object_store/open.h"

namespace icefield::icechunk::bench {
namespace {

constexpr std::uint32_t kArrays = 20;
constexpr std::uint32_t kWindows = 32;
constexpr std::uint32_t kFilled = 54;  // inits of each window that the base holds
constexpr std::uint32_t kSplit = kFilled + 16;
constexpr std::uint32_t kLeads = 19;
constexpr std::uint32_t kReferences = 8;  // per array and commit
constexpr std::uint32_t kSpread = 4;      // windows that a scattered commit touches

struct Plan {
  std::string url;
  std::uint32_t writers = 32;
  std::uint32_t commits = 4;
  bool scattered = false;

  using Cell = std::pair<std::uint32_t, std::uint32_t>;  // init, lead
  std::vector<Cell> cells(std::uint32_t w, std::uint32_t k) const {
    std::vector<Cell> chosen;
    for (std::uint32_t j = 0; j < kReferences; ++j) {
      const std::uint32_t step = kWindows / kSpread;
      const std::uint32_t own = std::max(1U, kWindows / writers);
      const std::uint32_t window =
          scattered ? (j % kSpread) * step + (w + k) % step : (w * own + k % own) % kWindows;
      const std::uint32_t slot = scattered
                                     ? (w * commits + k) * (kReferences / kSpread) + j / kSpread
                                     : ((w / kWindows) * commits + k) * kReferences + j;
      chosen.emplace_back(window * kSplit + kFilled + slot / kLeads, slot % kLeads);
    }
    return chosen;
  }
};

Store store_of(const Plan& plan) {
  return must(object_store::open_store(plan.url));
}

void make_base(const Plan& plan) {
  const auto repository = new_repository(store_of(plan), kSplit);
  auto session = must(repository.writable_session("main"));
  create_arrays(session, kArrays, kSplit * kWindows, kLeads);
  for (std::uint32_t w = 0; w < kWindows; ++w) {
    fill(session, {0, kArrays}, w * kSplit, kFilled, kLeads);
  }
  must(commit(session, "base"));
}

// Says that it is ready, waits for the end of `gate`, and gives a line for each commit.
void write_commits(const Plan& plan, std::uint32_t w, int gate, std::FILE* out) {
  const auto repository = must(Repository::open(store_of(plan)));
  must(repository.tip("main"));
  std::fputs("0 0\n", out);
  std::fflush(out);
  char none = 0;
  while (::read(gate, &none, 1) > 0) {
  }
  for (std::uint32_t k = 0; k < plan.commits; ++k) {
    auto session = must(repository.writable_session("main"));
    for (std::uint32_t a = 0; a < kArrays; ++a) {
      Cells cells;
      for (const auto& [init, lead] : plan.cells(w, k)) cells.add(session, a, init, lead, kLeads);
      cells.stage(session, a);
    }
    const auto start = SteadyClock::now();
    const auto result = must(commit(session, core::text("w", w, " k", k)));
    std::fprintf(out, "%.6f %u\n", seconds_since(start), result.rebase_attempts);
    std::fflush(out);
  }
}

struct Outcome {
  std::vector<double> seconds;  // of each commit, ascending
  std::vector<std::uint32_t> rebases;
  double wall = 0;
  double cpu = 0;
};

double children_cpu() {
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

Outcome run_writers(const Plan& plan) {
  int results[2];
  int gate[2];
  if (::pipe(results) != 0 || ::pipe(gate) != 0) std::exit(1);
  for (std::uint32_t w = 0; w < plan.writers; ++w) {
    if (::fork() != 0) continue;
    ::close(gate[1]);
    write_commits(plan, w, gate[0], ::fdopen(results[1], "w"));
    ::_exit(0);
  }
  ::close(results[1]);
  const double cpu_before = children_cpu();
  Outcome outcome;
  std::FILE* in = ::fdopen(results[0], "r");
  double one = 0;
  unsigned attempts = 0;
  auto start = SteadyClock::now();
  for (std::uint32_t ready = 0; std::fscanf(in, "%lf %u", &one, &attempts) == 2;) {  // NOLINT
    if (ready < plan.writers) {
      if (++ready < plan.writers) continue;
      start = SteadyClock::now();
      ::close(gate[1]);
      continue;
    }
    outcome.seconds.push_back(one);
    outcome.rebases.push_back(attempts);
  }
  std::fclose(in);
  outcome.wall = seconds_since(start);
  while (::wait(nullptr) > 0) {
  }
  outcome.cpu = children_cpu() - cpu_before;
  std::ranges::sort(outcome.seconds);
  std::ranges::sort(outcome.rebases);
  return outcome;
}

/// References that should be there and are not.
std::uint64_t count_missing(const Repository& repository, const Plan& plan) {
  const auto session = must(repository.readonly_session(BranchName("main")));
  std::uint64_t missing = 0;
  for (std::uint32_t a = 0; a < kArrays; ++a) {
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

void contend(const Plan& plan) {
  in_child([&] { make_base(plan); });
  const Outcome outcome = run_writers(plan);
  if (outcome.seconds.empty()) std::exit(1);
  const auto repository = must(Repository::open(store_of(plan)));
  const auto history = must(repository.ancestry(must(repository.tip("main"))));
  const auto at = [](const auto& sorted, double share) {
    return sorted[static_cast<std::size_t>(static_cast<double>(sorted.size() - 1) * share)];
  };
  const auto commits = static_cast<double>(outcome.seconds.size());
  const core::Json shown =
      core::Json::object({{"writers", plan.writers},
                          {"mode", plan.scattered ? "scattered" : "contiguous"},
                          {"commits_asked", plan.writers * plan.commits},
                          {"commits", std::uint64_t{outcome.seconds.size()}},
                          {"in_history", std::uint64_t{history.size() - 2}},
                          {"missing_references", count_missing(repository, plan)},
                          {"commits_per_s", commits / outcome.wall},
                          {"cpu_s_per_commit", outcome.cpu / commits},
                          {"median_s", at(outcome.seconds, 0.5)},
                          {"slowest_s", outcome.seconds.back()},
                          {"rebases_p50", at(outcome.rebases, 0.5)},
                          {"rebases_p99", at(outcome.rebases, 0.99)},
                          {"rebases_max", outcome.rebases.back()}});
  std::puts(shown.dump().c_str());
}

}  // namespace
}  // namespace icefield::icechunk::bench

int main(int argc, char** argv) {
  using namespace icefield;  // NOLINT: a program's own namespace
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty()) {
    std::fputs("usage: s3_contend URL [WRITERS] [COMMITS] [contiguous|scattered]\n", stderr);
    return 2;
  }
  icechunk::bench::Plan plan;
  plan.url = core::text(words[0], "/contend-", core::random_u64());
  plan.writers = icechunk::bench::number(words, 1, plan.writers);
  plan.commits = icechunk::bench::number(words, 2, plan.commits);
  plan.scattered = std::ranges::count(words, "scattered") > 0;
  icechunk::bench::contend(plan);
  return 0;
}
