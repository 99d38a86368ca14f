// Staging and committing new virtual references, beside the official library's `set-refs`
// (icechunk_bench.py set-refs of the peers: the same arrays, locations, offsets and lengths).
//
//   build/release/bench/icechunk_staging [ARRAYS=20] [INITS=1000] [LEADS=49]
//
// Prints one JSON line: references, seconds and CPU seconds of staging and of the commit, bytes of
// memory per staged reference (growth of the resident set), bytes of manifests per reference.
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <unistd.h>

#include "core/json.h"
#include "core/random.h"
#include "core/text.h"
#include "icechunk/commit/commit.h"
#include "icechunk/commit/repository.h"
#include "object_store/open.h"

namespace icefield {
namespace {

constexpr const char* kPrefix = "s3://noaa-hrrr-bdp-pds/";

struct Size {
  std::uint32_t arrays = 20;
  std::uint32_t inits = 1000;
  std::uint32_t leads = 49;
};

double cpu_seconds() {
  std::timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

std::uint64_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t whole = 0;
  std::uint64_t resident = 0;
  statm >> whole >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

/// The file of one (init, lead): inits are hours from 2014-07-30T00.
std::string location_of(std::uint32_t init, std::uint32_t lead) {
  const std::chrono::sys_days first = std::chrono::year(2014) / 7 / 30;
  const auto day = std::chrono::year_month_day(first + std::chrono::days(init / 24));
  std::array<char, 96> text{};
  std::snprintf(text.data(), text.size(), "%shrrr.%04d%02u%02u/conus/hrrr.t%02uz.wrfsfcf%02u.grib2",
                kPrefix, static_cast<int>(day.year()), static_cast<unsigned>(day.month()),
                static_cast<unsigned>(day.day()), init % 24, lead);
  return text.data();
}

std::string array_document(const Size& size) {
  return core::text(
      R"({"zarr_format":3,"node_type":"array","shape":[)", size.inits, ",", size.leads,
      R"(,1059,1799],"data_type":"float32","chunk_grid":{"name":"regular","configuration":{"chunk_shape":[1,1,1059,1799]}},)",
      R"("chunk_key_encoding":{"name":"default","configuration":{"separator":"/"}},"fill_value":0.0,)",
      R"("codecs":[{"name":"bytes","configuration":{"endian":"little"}}],"attributes":{}})");
}

/// Columns of one array, made before the clock runs.
struct Columns {
  std::vector<std::uint32_t> indices;
  std::vector<std::uint64_t> offsets;
  std::vector<std::uint64_t> lengths;
};

Columns columns_of(const Size& size, std::uint32_t array) {
  Columns columns;
  for (std::uint32_t init = 0; init < size.inits; ++init) {
    for (std::uint32_t lead = 0; lead < size.leads; ++lead) {
      columns.indices.insert(columns.indices.end(), {init, lead, 0, 0});
      std::uint64_t state = (std::uint64_t{init} * size.leads + lead) * 1000003 + array;
      const auto drawn = core::splitmix64(state);
      columns.offsets.push_back(drawn % 150'000'000);
      columns.lengths.push_back(200'000 + (drawn >> 32U) % 2'000'000);
    }
  }
  return columns;
}

core::Result<icechunk::Repository> create(const Size& size) {
  TRY_ASSIGN(auto store, object_store::open_store("memory://"));
  auto config = icechunk::new_repository_config();
  TRY(config.set_container(icechunk::anonymous_s3_container("hrrr", kPrefix, "us-east-1")));
  TRY_ASSIGN(auto repository, icechunk::Repository::create(std::move(store), config));
  TRY_ASSIGN(auto session, repository.writable_session("main"));
  const auto document = array_document(size);
  for (std::uint32_t array = 0; array < size.arrays; ++array) {
    TRY_ASSIGN([[maybe_unused]] const bool made,
               session.set_metadata(core::text("/var_", array), core::as_bytes(document)));
  }
  TRY_ASSIGN([[maybe_unused]] const auto done, icechunk::commit(session, "arrays"));
  return repository;
}

core::Status measure(const Size& size) {
  TRY_ASSIGN(const auto repository, create(size));
  TRY_ASSIGN(auto session, repository.writable_session("main"));
  std::vector<Columns> columns;
  for (std::uint32_t array = 0; array < size.arrays; ++array) {
    columns.push_back(columns_of(size, array));
  }
  std::vector<std::string> texts;
  for (std::uint32_t init = 0; init < size.inits; ++init) {
    for (std::uint32_t lead = 0; lead < size.leads; ++lead)
      texts.push_back(location_of(init, lead));
  }
  const auto resident = resident_bytes();
  const double began = cpu_seconds();
  std::vector<icechunk::LocationNumber> numbers;
  numbers.reserve(texts.size());
  for (const auto& text : texts) {
    TRY_ASSIGN(const auto number, session.add_location(text));
    numbers.push_back(number);
  }
  for (std::uint32_t array = 0; array < size.arrays; ++array) {
    TRY(session.set_virtual_references(core::text("/var_", array),
                                       {.indices = columns[array].indices,
                                        .locations = numbers,
                                        .offsets = columns[array].offsets,
                                        .lengths = columns[array].lengths}));
  }
  const double staged = cpu_seconds();
  const auto grown = resident_bytes() - resident;
  icechunk::CommitOptions options;
  options.layout = icechunk::ManifestLayout::kWindows;
  TRY_ASSIGN(const auto done, icechunk::commit(session, "references", {}, options));
  const double committed = cpu_seconds();
  const auto references = std::uint64_t{size.arrays} * size.inits * size.leads;
  const auto per = [references](double value) { return value / static_cast<double>(references); };
  std::puts(core::Json::object(
                {{"references", references},
                 {"stage_cpu_s", staged - began},
                 {"staged_per_cpu_s", 1 / per(staged - began)},
                 {"memory_bytes_per_staged", per(static_cast<double>(grown))},
                 {"commit_cpu_s", committed - staged},
                 {"commit_us_per_reference", 1e6 * per(committed - staged)},
                 {"manifest_bytes_per_reference", per(static_cast<double>(done.manifest_bytes))}})
                .dump()
                .c_str());
  return {};
}

std::uint32_t number(int argc, char** argv, int at, std::uint32_t otherwise) {
  return argc > at ? static_cast<std::uint32_t>(std::strtoul(argv[at], nullptr, 10))  // NOLINT
                   : otherwise;
}

}  // namespace
}  // namespace icefield

int main(int argc, char** argv) {
  icefield::Size size;
  size.arrays = icefield::number(argc, argv, 1, size.arrays);
  size.inits = icefield::number(argc, argv, 2, size.inits);
  size.leads = icefield::number(argc, argv, 3, size.leads);
  const auto done = icefield::measure(size);
  if (!done) std::fprintf(stderr, "%s\n", done.error().message().c_str());
  return done ? 0 : 1;
}
