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

#include "core/large_memory.h"
#include "core/random.h"
#include "icechunk_contention.h"
#include "object_store/open.h"

namespace icefield::icechunk::bench {
namespace {

struct Plan : Contention {
  std::string url;
};

Store store_of(const Plan& plan) {
  return must(object_store::open_store(plan.url));
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
    plan.stage(session, w, k);
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
  const double cpu_before = children_cpu_seconds();
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
  outcome.cpu = children_cpu_seconds() - cpu_before;
  std::ranges::sort(outcome.seconds);
  std::ranges::sort(outcome.rebases);
  return outcome;
}

void contend(const Plan& plan) {
  in_child([&] { plan.make_base(store_of(plan)); });
  const Outcome outcome = run_writers(plan);
  if (outcome.seconds.empty()) std::exit(1);
  const auto repository = must(Repository::open(store_of(plan)));
  const auto history = must(repository.ancestry(must(repository.tip("main"))));
  const auto commits = static_cast<double>(outcome.seconds.size());
  const core::Json shown =
      core::Json::object({{"writers", plan.writers},
                          {"mode", plan.scattered ? "scattered" : "contiguous"},
                          {"commits_asked", plan.writers * plan.commits},
                          {"commits", std::uint64_t{outcome.seconds.size()}},
                          {"in_history", std::uint64_t{history.size() - 2}},
                          {"missing_references", plan.count_missing(repository)},
                          {"commits_per_s", commits / outcome.wall},
                          {"cpu_s_per_commit", outcome.cpu / commits},
                          {"median_s", quantile(outcome.seconds, 0.5)},
                          {"slowest_s", outcome.seconds.back()},
                          {"rebases_p50", quantile(outcome.rebases, 0.5)},
                          {"rebases_p99", quantile(outcome.rebases, 0.99)},
                          {"rebases_max", outcome.rebases.back()}});
  std::puts(shown.dump().c_str());
}

}  // namespace
}  // namespace icefield::icechunk::bench

int main(int argc, char** argv) {
  icefield::core::keep_freed_memory();  // as the executable does
  using namespace icefield;             // NOLINT: a program's own namespace
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
