// A store of many small commits and what reading it costs; bench/icechunk_readers.py makes the same
// by the official library and reads both with both.
//
//   build/release/bench/icechunk_readers make    STORE SOURCE ARRAYS FILLED LEADS COMMITS
//   build/release/bench/icechunk_readers compact STORE
//   build/release/bench/icechunk_readers read    STORE SOURCE INIT LEAD
//
// make: FILLED inits of every array in one commit, then COMMITS of two leads each, in windows of
// FILLED + 64 inits. Locations lie below the local folder SOURCE. read: from opening to the bytes
// of chunk (INIT, LEAD) of the last array, then all keys, each with the bytes that were read.
// Prints one JSON line.
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "icechunk/commit/compact.h"
#include "icechunk_workload.h"

namespace icefield::icechunk::bench {
namespace {

constexpr std::uint64_t kChunk = 1000;   // bytes
constexpr std::uint32_t kReserve = 64;   // inits of a window beyond the filled ones
constexpr std::uint64_t kFile = 60'000;  // bytes of a source that offsets lie in

Store open_folder(const std::string& path) {
  return must(object_store::make_local_store(path));
}

/// Bytes that this process has read so far.
std::uint64_t bytes_read() {
  std::ifstream io("/proc/self/io");
  std::string name;
  std::uint64_t bytes = 0;
  io >> name >> bytes;
  return bytes;
}

/// References to `kChunk` bytes of the files of some cells, in all arrays.
void stage(Session& session, std::uint32_t arrays, std::uint32_t leads, std::uint32_t first,
           std::uint32_t end) {
  std::vector<LocationNumber> locations;
  std::vector<std::uint32_t> indices;
  for (std::uint32_t cell = first; cell < end; ++cell) {
    std::string text = location_of(cell / leads, cell % leads);
    text.replace(0, std::string_view("vcc://hrrr").size(), "vcc://source");
    locations.push_back(must(session.add_location(text)));
    indices.insert(indices.end(), {cell / leads, cell % leads, 0, 0});
  }
  const std::vector<std::uint64_t> lengths(locations.size(), kChunk);
  for (std::uint32_t a = 0; a < arrays; ++a) {
    std::vector<std::uint64_t> offsets;
    for (std::uint32_t cell = first; cell < end; ++cell) {
      std::uint64_t state = std::uint64_t{cell} * 1'000'003 + a;
      offsets.push_back(core::splitmix64(state) % kFile);
    }
    must(session.set_virtual_references(
        array_name(a),
        {.indices = indices, .locations = locations, .offsets = offsets, .lengths = lengths}));
  }
}

void make(const std::vector<std::string>& words) {
  const std::uint32_t arrays = number(words, 3, 40);
  const std::uint32_t filled = number(words, 4, 100);
  const std::uint32_t leads = number(words, 5, 49);
  const std::uint32_t commits = number(words, 6, 60);
  RepositoryConfig config = workload_config(filled + kReserve);
  must(config.set_container(local_container("source", words.at(2))));
  const auto repository = must(Repository::create(open_folder(words.at(1)), config));
  {
    auto session = must(repository.writable_session("main"));
    create_arrays(session, arrays, filled + kReserve, leads);
    must(commit(session, "arrays"));
  }
  {
    auto session = must(repository.writable_session("main"));
    stage(session, arrays, leads, 0, filled * leads);
    must(commit(session, "filled", {}, {.layout = ManifestLayout::kWindows, .conflicts = {}}));
  }
  const double cpu = cpu_seconds();
  for (std::uint32_t k = 0; k < commits; ++k) {
    auto session = must(repository.writable_session("main"));
    const std::uint32_t first = filled * leads + 2 * k;
    stage(session, arrays, leads, first, first + 2);
    must(commit(session, core::text("append ", k)));
  }
  std::puts(
      core::Json::object({{"commits", commits}, {"cpu_s", cpu_seconds() - cpu}}).dump().c_str());
}

void merge(const std::string& folder) {
  const auto repository = must(Repository::open(open_folder(folder)));
  const double cpu = cpu_seconds();
  const auto done = must(compact(repository, "main", "compacted"));
  std::puts(core::Json::object({{"manifests_before", std::uint64_t{done.manifests_before}},
                                {"manifests_after", std::uint64_t{done.manifests_after}},
                                {"cpu_s", cpu_seconds() - cpu}})
                .dump()
                .c_str());
}

void read(const std::vector<std::string>& words) {
  const ChunkIndex index{number(words, 3, 0), number(words, 4, 0), 0, 0};
  RepositoryOptions options;
  options.access.authorize(local_container("source", words.at(2)).url_prefix,
                           open_folder(words.at(2)));
  const std::uint64_t before = bytes_read();
  const auto start = SteadyClock::now();
  const double cpu = cpu_seconds();
  const auto repository = must(Repository::open(open_folder(words.at(1)), options));
  const auto session = must(repository.readonly_session(BranchName("main")));
  const auto arrays = session.nodes().size() - 1;
  const auto last = array_name(static_cast<std::uint32_t>(arrays - 1));
  const auto got = must(session.read_chunk(last, index));
  if (!got || got->size() != kChunk) std::exit(1);
  const double first_ms = seconds_since(start) * 1e3;
  const double first_cpu_ms = (cpu_seconds() - cpu) * 1e3;
  const std::uint64_t first_bytes = bytes_read() - before;
  std::uint64_t keys = arrays + 1;
  const auto listing = SteadyClock::now();
  const double listing_cpu = cpu_seconds();
  for (const NodeView& node : session.nodes()) {
    if (!node.is_array) continue;
    must(session.for_each_chunk(node.path, [&keys](const ChunkEntry&) {
      ++keys;
      return true;
    }));
  }
  std::puts(core::Json::object({{"first_ms", first_ms},
                                {"first_cpu_ms", first_cpu_ms},
                                {"first_bytes", first_bytes},
                                {"list_ms", seconds_since(listing) * 1e3},
                                {"list_cpu_ms", (cpu_seconds() - listing_cpu) * 1e3},
                                {"all_bytes", bytes_read() - before},
                                {"keys", keys}})
                .dump()
                .c_str());
}

}  // namespace
}  // namespace icefield::icechunk::bench

int main(int argc, char** argv) {
  using namespace icefield::icechunk;  // NOLINT: a program's own namespace
  const std::vector<std::string> words(argv + 1, argv + argc);
  const std::string command = words.empty() ? "" : words[0];
  if (command == "make" && words.size() > 2) {
    bench::make(words);
  } else if (command == "compact" && words.size() > 1) {
    bench::merge(words[1]);
  } else if (command == "read" && words.size() > 2) {
    bench::read(words);
  } else {
    std::fputs("usage: icechunk_readers make|compact|read ...\n", stderr);
    return 2;
  }
  return 0;
}
