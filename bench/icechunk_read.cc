// Looking up and reading (bench/icechunk_compare.py runs the official library beside).
//
//   build/release/bench/icechunk_read probe  [INITS=2000] [LEADS=49]
//   build/release/bench/icechunk_read chunks [CHUNKS=2000] [BYTES=65536]
//   build/release/bench/icechunk_read native [MIB=512]
//
// probe: presence and listing of INITS x LEADS references, manifests loaded. chunks: bytes of
// virtual chunks out of local files, and from opening to the first of them. native: MIB in chunks
// of 4 MiB without codec, written, committed and read. Each prints one JSON line.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "core/large_memory.h"
#include "icechunk_workload.h"

namespace icefield::icechunk::bench {
namespace {

void probe(std::uint32_t inits, std::uint32_t leads) {
  const Folder folder;
  const auto repository = new_repository(folder.store(), 500);
  {
    auto session = must(repository.writable_session("main"));
    create_arrays(session, 1, inits, leads);
    fill(session, {0, 1}, 0, inits, leads);
    must(commit(session, "filled"));
  }
  const auto session = must(repository.readonly_session(BranchName("main")));
  std::vector<std::uint32_t> indices;
  for (std::uint32_t i = 0; i < inits; ++i) {
    for (std::uint32_t l = 0; l < leads; ++l) indices.insert(indices.end(), {i, l, 0, 0});
  }
  must(session.have_chunks(array_name(0), indices));  // loads the manifests
  const auto rate = [&](const std::function<std::uint64_t()>& work) {
    const double start = cpu_seconds();
    const std::uint64_t found = work();
    return static_cast<double>(found) / (cpu_seconds() - start);
  };
  const double batched = rate([&] {
    const auto have = must(session.have_chunks(array_name(0), indices));
    return static_cast<std::uint64_t>(std::ranges::count(have, true));
  });
  const double single = rate([&] {
    std::uint64_t found = 0;
    for (std::size_t i = 0; i < indices.size(); i += 4) {
      found += must(session.has_chunk(array_name(0), std::span(indices).subspan(i, 4))) ? 1U : 0U;
    }
    return found;
  });
  const double listed = rate([&] {
    std::uint64_t found = 0;
    must(session.for_each_chunk(array_name(0), [&found](const ChunkEntry&) {
      ++found;
      return true;
    }));
    return found;
  });
  const core::Json shown = core::Json::object({{"chunks", inits * leads},
                                               {"batched_per_cpu_s", batched},
                                               {"single_per_cpu_s", single},
                                               {"listed_per_cpu_s", listed}});
  std::puts(shown.dump().c_str());
}

std::string flat_json(std::uint32_t chunks, std::uint32_t bytes) {
  return core::text(
      R"({"zarr_format":3,"node_type":"array","shape":[)", std::uint64_t{chunks} * bytes,
      R"(],"data_type":"uint8","chunk_grid":{"name":"regular","configuration":)",
      R"({"chunk_shape":[)", bytes,
      R"(]}},"chunk_key_encoding":{"name":"default","configuration":{"separator":"/"}},)",
      R"("fill_value":0,"codecs":[{"name":"bytes"}],"attributes":{}})");
}

/// The bytes that chunk `i` must have.
core::Bytes content(std::uint32_t i, std::uint32_t bytes) {
  core::Bytes made(bytes);
  std::uint64_t state = i;
  for (std::size_t at = 0; at + 8 <= made.size(); at += 8) {
    const std::uint64_t value = core::splitmix64(state);
    std::memcpy(made.data() + at, &value, sizeof(value));
  }
  return made;
}

RepositoryOptions reading(const std::string& prefix, const std::filesystem::path& source) {
  RepositoryOptions options;
  options.access.authorize(prefix, must(object_store::make_local_store(source.string())));
  return options;
}

void chunks(std::uint32_t count, std::uint32_t bytes) {
  const Folder folder;
  const auto source = folder.path() / "source";
  std::filesystem::create_directories(source);
  const VirtualContainer container = local_container("source", source.string());
  RepositoryConfig config;
  must(config.set_container(container));
  {
    auto repository = must(Repository::create(folder.store(), config));
    auto session = must(repository.writable_session("main"));
    must(session.set_metadata("/", core::as_bytes(R"({"zarr_format":3,"node_type":"group"})")));
    must(session.set_metadata("/a", core::as_bytes(flat_json(count, bytes))));
    std::vector<std::uint32_t> indices;
    std::vector<LocationNumber> locations;
    std::vector<std::uint64_t> offsets;
    const std::vector<std::uint64_t> lengths(count, bytes);
    constexpr std::uint32_t kPerFile = 50;
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto name = core::text("file-", i / kPerFile);
      std::ofstream file(source / name, std::ios::app | std::ios::binary);
      const auto made = content(i, bytes);
      file.write(reinterpret_cast<const char*>(made.data()),  // NOLINT: bytes of a file
                 static_cast<std::streamsize>(made.size()));
      indices.push_back(i);
      locations.push_back(must(session.add_location(core::text("vcc://source/", name))));
      offsets.push_back(std::uint64_t{i % kPerFile} * bytes);
    }
    must(session.set_virtual_references(
        "/a",
        {.indices = indices, .locations = locations, .offsets = offsets, .lengths = lengths}));
    must(commit(session, "references"));
  }
  in_child([&] {
    const auto start = SteadyClock::now();
    const auto repository =
        must(Repository::open(folder.store(), reading(container.url_prefix, source)));
    const auto session = must(repository.readonly_session(BranchName("main")));
    const auto read = [&](std::uint32_t i) {
      const auto got = must(session.read_chunk("/a", ChunkIndex{i}));
      if (!got || got->size() != bytes) std::exit(1);
      return *got;
    };
    if (read(0) != content(0, bytes)) std::exit(1);
    const double first = seconds_since(start);
    const double cpu = cpu_seconds();
    std::vector<double> each;
    std::uint64_t state = 1;
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto begun = SteadyClock::now();
      read(static_cast<std::uint32_t>(core::splitmix64(state) % count));
      each.push_back(seconds_since(begun) * 1e6);
    }
    std::ranges::sort(each);
    const core::Json shown =
        core::Json::object({{"chunks", count},
                            {"chunk_bytes", bytes},
                            {"open_to_first_ms", first * 1000},
                            {"read_median_us", each[each.size() / 2]},
                            {"read_cpu_us", (cpu_seconds() - cpu) * 1e6 / count}});
    std::puts(shown.dump().c_str());
  });
}

void native(std::uint32_t mib) {
  constexpr std::uint32_t kChunk = 4U << 20U;
  const std::uint32_t count = mib / 4;
  const Folder folder;
  const auto repository = new_repository(folder.store(), 0);
  auto session = must(repository.writable_session("main"));
  must(session.set_metadata("/", core::as_bytes(R"({"zarr_format":3,"node_type":"group"})")));
  must(session.set_metadata("/a", core::as_bytes(flat_json(count, kChunk))));
  const core::Bytes data = content(1, kChunk);
  const auto start = SteadyClock::now();
  double cpu = cpu_seconds();
  for (std::uint32_t i = 0; i < count; ++i) must(session.set_chunk("/a", ChunkIndex{i}, data));
  const auto result = must(commit(session, "native"));
  const double wall = seconds_since(start);
  const double write_cpu = cpu_seconds() - cpu;
  const auto reader = must(repository.readonly_session(BranchName("main")));
  const auto reading_from = SteadyClock::now();
  cpu = cpu_seconds();
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto got = must(reader.read_chunk("/a", ChunkIndex{i}));
    if (!got || *got != data) std::exit(1);
  }
  const core::Json shown = core::Json::object({{"mib", mib},
                                               {"write_commit_s", wall},
                                               {"write_cpu_s", write_cpu},
                                               {"read_s", seconds_since(reading_from)},
                                               {"read_cpu_s", cpu_seconds() - cpu},
                                               {"manifest_bytes", result.manifest_bytes}});
  std::puts(shown.dump().c_str());
}

}  // namespace
}  // namespace icefield::icechunk::bench

int main(int argc, char** argv) {
  icefield::core::keep_freed_memory();  // as the executable does
  using namespace icefield::icechunk;   // NOLINT: a program's own namespace
  const std::vector<std::string> words(argv + 1, argv + argc);
  const std::string command = words.empty() ? "" : words[0];
  if (command == "probe") {
    bench::probe(bench::number(words, 1, 2000), bench::number(words, 2, 49));
  } else if (command == "chunks") {
    bench::chunks(bench::number(words, 1, 2000), bench::number(words, 2, 65536));
  } else if (command == "native") {
    bench::native(bench::number(words, 1, 512));
  } else {
    std::fputs("usage: icechunk_read probe|chunks|native ...\n", stderr);
    return 2;
  }
  return 0;
}
