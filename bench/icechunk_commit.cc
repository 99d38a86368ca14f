// Commits beside the official library's (bench/icechunk_compare.py runs both on the same work).
//
//   build/release/bench/icechunk_commit flush   [ARRAYS=142] [FILLED=2200] [LEADS=49] [windows]
//   build/release/bench/icechunk_commit history [COMMITS=2000]
//   build/release/bench/icechunk_commit grow    [COMMITS=500] [FILLED=26500] [LEADS=49]
//
// flush: adds two references to each array, whose active manifest holds FILLED x LEADS; `windows`
// writes the whole window again. grow: memory of one process over COMMITS appends of two references
// to a window of FILLED x LEADS. Each prints one JSON line.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "core/large_memory.h"
#include "icechunk_workload.h"

namespace icefield::icechunk::bench {
namespace {

core::Json measured_commit(const Repository& repository, std::uint32_t arrays, std::uint32_t init,
                           std::uint32_t leads, std::uint32_t lead, ManifestLayout layout) {
  auto session = must(repository.writable_session("main"));
  for (std::uint32_t a = 0; a < arrays; ++a) {
    Cells cells;
    cells.add(session, a, init, lead, leads);
    cells.add(session, a, init, lead + 1, leads);
    cells.stage(session, a);
  }
  const auto start = SteadyClock::now();
  const double cpu = cpu_seconds();
  const auto result = must(commit(session, "append", {}, {.layout = layout, .conflicts = {}}));
  const auto references = static_cast<double>(result.references);
  return core::Json::object(
      {{"wall_s", seconds_since(start)},
       {"cpu_s", cpu_seconds() - cpu},
       {"bytes_written", result.bytes_written},
       {"manifest_bytes", result.manifest_bytes},
       {"manifest_bytes_per_reference", static_cast<double>(result.manifest_bytes) / references},
       {"manifests", result.manifests_written}});
}

void flush(std::uint32_t arrays, std::uint32_t filled, std::uint32_t leads, ManifestLayout layout) {
  constexpr std::uint32_t kReserve = 8;
  const Folder folder;
  in_child([&] {
    const auto repository = new_repository(folder.store(), filled + kReserve);
    auto session = must(repository.writable_session("main"));
    create_arrays(session, arrays, filled + kReserve, leads);
    must(commit(session, "arrays"));
    constexpr std::uint32_t kArraysAtOnce = 10;
    for (std::uint32_t a = 0; a < arrays; a += kArraysAtOnce) {
      auto part = must(repository.writable_session("main"));
      fill(part, {a, std::min(arrays, a + kArraysAtOnce)}, 0, filled, leads);
      must(commit(part, "fill"));
    }
  });
  const std::uint64_t before = folder.bytes();
  const std::uint64_t manifests = folder.bytes("manifests");
  in_child([&] {
    forget_peak();
    const auto repository = must(Repository::open(folder.store()));
    const auto cold = measured_commit(repository, arrays, filled, leads, 0, layout);
    const auto warm = measured_commit(repository, arrays, filled, leads, 2, layout);
    const core::Json shown = core::Json::object({{"arrays", arrays},
                                                 {"active_references", filled * leads},
                                                 {"active_manifest_bytes", manifests / arrays},
                                                 {"cold", cold},
                                                 {"warm", warm},
                                                 {"store_bytes", before},
                                                 {"written_by_both", folder.bytes() - before},
                                                 {"peak_mib", peak_mib()}});
    std::puts(shown.dump().c_str());
  });
}

void history(std::uint32_t commits) {
  const Folder folder;
  const auto repository = new_repository(folder.store(), 1000);
  {
    auto session = must(repository.writable_session("main"));
    create_arrays(session, 1, commits + 1, 1);
    must(commit(session, "array"));
  }
  std::vector<double> seconds;
  std::vector<double> cpu;
  for (std::uint32_t i = 0; i < commits; ++i) {
    const auto start = SteadyClock::now();
    const double begun = cpu_seconds();
    auto session = must(repository.writable_session("main"));
    Cells cells;
    cells.add(session, 0, i, 0, 1);
    cells.stage(session, 0);
    must(commit(session, core::text("commit ", i)));
    seconds.push_back(seconds_since(start));
    cpu.push_back(cpu_seconds() - begun);
  }
  const std::size_t last = std::min<std::size_t>(seconds.size(), 100);
  const auto tail_of = [last](const std::vector<double>& all) {
    std::vector<double> tail(all.end() - static_cast<std::ptrdiff_t>(last), all.end());
    std::ranges::sort(tail);
    return tail;
  };
  const auto tail = tail_of(seconds);
  const auto cpu_tail = tail_of(cpu);
  const core::Json shown = core::Json::object({{"commits", commits},
                                               {"last_100_median_ms", tail[last / 2] * 1000},
                                               {"last_100_least_ms", tail[0] * 1000},
                                               {"last_100_cpu_ms", cpu_tail[last / 2] * 1000},
                                               {"store_bytes", folder.bytes()},
                                               {"repo_bytes", folder.file_bytes("repo")},
                                               {"peak_mib", peak_mib()}});
  std::puts(shown.dump().c_str());
}

void grow(std::uint32_t commits, std::uint32_t filled, std::uint32_t leads) {
  const Folder folder;
  const std::uint32_t inits = filled + commits * 2 / leads + 1;
  in_child([&] {
    const auto repository = new_repository(folder.store(), inits);
    auto session = must(repository.writable_session("main"));
    create_arrays(session, 1, inits, leads);
    fill(session, {0, 1}, 0, filled, leads);
    must(commit(session, "filled"));
  });
  const auto repository = must(Repository::open(folder.store()));
  double early = 0;
  for (std::uint32_t i = 0; i < commits; ++i) {
    auto session = must(repository.writable_session("main"));
    Cells cells;
    for (std::uint32_t k = 2 * i; k < 2 * i + 2; ++k) {
      cells.add(session, 0, filled + k / leads, k % leads, leads);
    }
    cells.stage(session, 0);
    must(commit(session, core::text("append ", i)));
    if (i + 1 == commits / 10) early = resident_mib();
  }
  const core::Json shown = core::Json::object({{"commits", commits},
                                               {"window_references", filled * leads},
                                               {"resident_after_tenth_mib", early},
                                               {"resident_after_all_mib", resident_mib()},
                                               {"peak_mib", peak_mib()}});
  std::puts(shown.dump().c_str());
}

}  // namespace
}  // namespace icefield::icechunk::bench

int main(int argc, char** argv) {
  icefield::core::keep_freed_memory();  // as the executable does
  using namespace icefield::icechunk;   // NOLINT: a program's own namespace
  const std::vector<std::string> words(argv + 1, argv + argc);
  const std::string command = words.empty() ? "" : words[0];
  if (command == "flush") {
    bench::flush(bench::number(words, 1, 142), bench::number(words, 2, 2200),
                 bench::number(words, 3, 49),
                 words.back() == "windows" ? ManifestLayout::kWindows : ManifestLayout::kAppend);
  } else if (command == "history") {
    bench::history(bench::number(words, 1, 2000));
  } else if (command == "grow") {
    bench::grow(bench::number(words, 1, 500), bench::number(words, 2, 26'500),
                bench::number(words, 3, 49));
  } else {
    std::fputs("usage: icechunk_commit flush|history|grow ...\n", stderr);
    return 2;
  }
  return 0;
}
