// Staging and committing new virtual references (bench/icechunk_compare.py runs the official
// library beside).
//
//   build/release/bench/icechunk_staging [ARRAYS=20] [INITS=1000] [LEADS=49]
//
// Prints one JSON line: references, CPU seconds of staging and of the commit, bytes of memory per
// staged reference (growth of the resident set), bytes of manifests per reference.
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "icechunk_workload.h"

namespace icefield::icechunk::bench {
namespace {

void measure(std::uint32_t arrays, std::uint32_t inits, std::uint32_t leads) {
  const Folder folder;
  const auto repository = new_repository(folder.store(), 0);
  {
    auto session = must(repository.writable_session("main"));
    create_arrays(session, arrays, inits, leads);
    must(commit(session, "arrays"));
  }
  auto session = must(repository.writable_session("main"));
  // columns and texts are made before the clock runs
  std::vector<Cells> columns(arrays);
  std::vector<std::string> texts;
  for (std::uint32_t i = 0; i < inits; ++i) {
    for (std::uint32_t l = 0; l < leads; ++l) {
      texts.push_back(location_of(i, l));
      for (std::uint32_t a = 0; a < arrays; ++a) columns[a].add(LocationNumber(), a, i, l, leads);
    }
  }
  std::vector<LocationNumber> numbers;
  numbers.reserve(texts.size());
  const double resident = resident_mib();
  const double began = cpu_seconds();
  for (const std::string& text : texts) numbers.push_back(must(session.add_location(text)));
  for (std::uint32_t a = 0; a < arrays; ++a) {
    must(session.set_virtual_references(array_name(a), {.indices = columns[a].indices,
                                                        .locations = numbers,
                                                        .offsets = columns[a].offsets,
                                                        .lengths = columns[a].lengths}));
  }
  const double staged = cpu_seconds();
  const double grown = (resident_mib() - resident) * (1U << 20U);
  const auto start = SteadyClock::now();
  const auto done = must(
      commit(session, "references", {}, {.layout = ManifestLayout::kWindows, .conflicts = {}}));
  const double committed = cpu_seconds();
  const auto references = std::uint64_t{arrays} * inits * leads;
  const auto per = [references](double value) { return value / static_cast<double>(references); };
  std::puts(core::Json::object(
                {{"references", references},
                 {"stage_cpu_s", staged - began},
                 {"staged_per_cpu_s", 1 / per(staged - began)},
                 {"memory_bytes_per_staged", per(grown)},
                 {"commit_wall_s", seconds_since(start)},
                 {"commit_cpu_s", committed - staged},
                 {"commit_us_per_reference", 1e6 * per(committed - staged)},
                 {"manifest_bytes_per_reference", per(static_cast<double>(done.manifest_bytes))}})
                .dump()
                .c_str());
}

}  // namespace
}  // namespace icefield::icechunk::bench

int main(int argc, char** argv) {
  using namespace icefield::icechunk;  // NOLINT: a program's own namespace
  const std::vector<std::string> words(argv + 1, argv + argc);
  bench::measure(bench::number(words, 0, 20), bench::number(words, 1, 1000),
                 bench::number(words, 2, 49));
  return 0;
}
