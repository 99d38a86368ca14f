// Commits beside the official library's (icechunk_bench.py of the peers: the same arrays, windows,
// locations, offsets and lengths).
//
//   build/release/bench/icechunk_commit flush   [ARRAYS=142] [FILLED=2200] [LEADS=49] [windows]
//   build/release/bench/icechunk_commit contend [WRITERS=32] [LATENCY_MS=0] [contiguous|scattered]
//   build/release/bench/icechunk_commit history [COMMITS=2000]
//   build/release/bench/icechunk_commit probe   [INITS=2000] [LEADS=49]
//
// flush: adds two references to each array, whose active manifest holds FILLED x LEADS; `windows`
// writes the whole window again. contend: WRITERS processes, four commits each, into 20 arrays of
// 32 windows; LATENCY_MS is slept before every request. Each prints one JSON line.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/json.h"
#include "core/random.h"
#include "core/text.h"
#include "icechunk/commit/commit.h"
#include "icechunk/commit/repository.h"
#include "object_store/local/local_store.h"
#include "object_store/testing/faulty_store.h"

namespace icefield::icechunk {
namespace {

using SteadyClock = std::chrono::steady_clock;
using Store = std::shared_ptr<object_store::ObjectStore>;

template <typename T>
T must(core::Result<T> result) {
  if (result) return *std::move(result);
  std::fputs((result.error().message() + "\n").c_str(), stderr);
  std::exit(1);
}

double seconds_since(SteadyClock::time_point start) {
  return std::chrono::duration<double>(SteadyClock::now() - start).count();
}

double cpu_seconds() {
  std::timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

double peak_mib() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

/// A folder of its own, removed at the end.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / core::text("bench-", ::getpid())) {
    std::filesystem::create_directories(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    if (owner_ == ::getpid()) std::filesystem::remove_all(path_);
  }

  Store store() const { return must(object_store::make_local_store((path_ / "repo").string())); }

  std::uint64_t bytes() const {
    std::uint64_t bytes = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path_)) {
      if (entry.is_regular_file() && entry.hard_link_count() == 1) bytes += entry.file_size();
    }
    return bytes;
  }

 private:
  std::filesystem::path path_;
  ::pid_t owner_ = ::getpid();
};

std::string array_name(std::uint32_t array) {
  std::array<char, 16> name{};
  std::snprintf(name.data(), name.size(), "/var_%03u", array);
  return name.data();
}

std::string array_json(std::uint32_t inits, std::uint32_t leads) {
  return core::text(R"({"zarr_format":3,"node_type":"array","shape":[)", inits, ",", leads,
                    R"(,1059,1799],"data_type":"float32","chunk_grid":{"name":"regular",)",
                    R"("configuration":{"chunk_shape":[1,1,1059,1799]}},"chunk_key_encoding":)",
                    R"({"name":"default","configuration":{"separator":"/"}},"fill_value":"NaN",)",
                    R"("codecs":[{"name":"bytes","configuration":{"endian":"little"}}],)",
                    R"("dimension_names":["init_time","lead_time","y","x"],"attributes":{}})");
}

std::string location_of(std::uint32_t init, std::uint32_t lead) {
  const std::chrono::sys_days first = std::chrono::year(2014) / 7 / 30;
  const auto day = std::chrono::year_month_day(first + std::chrono::days(init / 24));
  std::array<char, 96> text{};
  std::snprintf(text.data(), text.size(),
                "vcc://hrrr/hrrr.%04d%02u%02u/conus/hrrr.t%02uz.wrfsfcf%02u.grib2",
                static_cast<int>(day.year()), static_cast<unsigned>(day.month()),
                static_cast<unsigned>(day.day()), init % 24, lead);
  return text.data();
}

/// References of one array at some cells, with lengths and offsets that look like messages.
struct Cells {
  std::vector<std::uint32_t> indices;
  std::vector<LocationNumber> locations;
  std::vector<std::uint64_t> offsets;
  std::vector<std::uint64_t> lengths;

  void add(Session& session, std::uint32_t array, std::uint32_t init, std::uint32_t lead) {
    std::uint64_t state = (std::uint64_t{init} * 49 + lead) * 1'000'003 + array;
    indices.insert(indices.end(), {init, lead, 0, 0});
    locations.push_back(must(session.add_location(location_of(init, lead))));
    lengths.push_back(500'000 + core::splitmix64(state) % 1'000'000);
    offsets.push_back(std::uint64_t{array} * 1'000'000 + core::splitmix64(state) % 60'000);
  }
  void stage(Session& session, std::uint32_t array) const {
    const auto staged = session.set_virtual_references(
        array_name(array),
        {.indices = indices, .locations = locations, .offsets = offsets, .lengths = lengths});
    if (!staged) std::exit((std::fputs(staged.error().message().c_str(), stderr), 1));
  }
};

Repository new_repository(const Store& store, std::uint32_t split) {
  RepositoryConfig config;
  config.set_splitting(
      {SplitRule{.condition = {},
                 .sizes = {SplitSize{.condition = {.kind = AxisCondition::Kind::kAxis},
                                     .num_chunks = split}}}});
  const auto added =
      config.set_container(anonymous_s3_container("hrrr", "s3://noaa-hrrr-bdp-pds/", "us-east-1"));
  if (!added) std::exit(1);
  return must(Repository::create(store, config));
}

void create_arrays(Session& session, std::uint32_t arrays, std::uint32_t inits,
                   std::uint32_t leads) {
  must(session.set_metadata("/", core::as_bytes(R"({"zarr_format":3,"node_type":"group"})")));
  for (std::uint32_t a = 0; a < arrays; ++a) {
    must(session.set_metadata(array_name(a), core::as_bytes(array_json(inits, leads))));
  }
}

/// Sets a block of whole inits of every array.
void fill(Session& session, std::uint32_t arrays, std::uint32_t first, std::uint32_t inits,
          std::uint32_t leads) {
  for (std::uint32_t a = 0; a < arrays; ++a) {
    Cells cells;
    for (std::uint32_t i = first; i < first + inits; ++i) {
      for (std::uint32_t l = 0; l < leads; ++l) cells.add(session, a, i, l);
    }
    cells.stage(session, a);
  }
}

core::Json measured_commit(const Repository& repository, std::uint32_t arrays, std::uint32_t init,
                           std::uint32_t lead, ManifestLayout layout) {
  auto session = must(repository.writable_session("main"));
  for (std::uint32_t a = 0; a < arrays; ++a) {
    Cells cells;
    cells.add(session, a, init, lead);
    cells.add(session, a, init, lead + 1);
    cells.stage(session, a);
  }
  const auto start = SteadyClock::now();
  const double cpu = cpu_seconds();
  const auto result = must(commit(session, "append", {}, {.layout = layout, .conflicts = {}}));
  return core::Json::object({{"wall_s", seconds_since(start)},
                             {"cpu_s", cpu_seconds() - cpu},
                             {"bytes_written", result.bytes_written},
                             {"manifests", result.manifests_written}});
}

/// Runs `work` in a process of its own, so that caches are cold and memory is its own.
void in_child(const std::function<void()>& work) {
  const ::pid_t child = ::fork();
  if (child == 0) {
    work();
    std::fflush(stdout);
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (status != 0) std::exit(1);
}

void flush(std::uint32_t arrays, std::uint32_t filled, std::uint32_t leads, ManifestLayout layout) {
  constexpr std::uint32_t kReserve = 16;
  const Folder folder;
  in_child([&] {
    const auto repository = new_repository(folder.store(), filled + kReserve);
    auto session = must(repository.writable_session("main"));
    create_arrays(session, arrays, filled + kReserve, leads);
    must(commit(session, "arrays"));
    constexpr std::uint32_t kArraysAtOnce = 10;
    for (std::uint32_t a = 0; a < arrays; a += kArraysAtOnce) {
      auto part = must(repository.writable_session("main"));
      for (std::uint32_t b = a; b < std::min(arrays, a + kArraysAtOnce); ++b) {
        Cells cells;
        for (std::uint32_t i = 0; i < filled; ++i) {
          for (std::uint32_t l = 0; l < leads; ++l) cells.add(part, b, i, l);
        }
        cells.stage(part, b);
      }
      must(commit(part, "fill"));
    }
  });
  const std::uint64_t before = folder.bytes();
  in_child([&] {
    const auto repository = must(Repository::open(folder.store()));
    const auto cold = measured_commit(repository, arrays, filled, 0, layout);
    const auto warm = measured_commit(repository, arrays, filled, 2, layout);
    const core::Json shown = core::Json::object({{"arrays", arrays},
                                                 {"active_references", filled * leads},
                                                 {"cold", cold},
                                                 {"warm", warm},
                                                 {"store_bytes", before},
                                                 {"peak_mib", peak_mib()}});
    std::puts(shown.dump().c_str());
  });
}

// ---- contend: the plan of the peer's benchmark

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
  bool scattered = false;

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

/// One writer; gives per commit "seconds rebases" lines to `out`.
void write_commits(const Folder& folder, const Plan& plan, std::uint32_t w,
                   std::chrono::milliseconds latency, std::FILE* out) {
  const Store inner = folder.store();
  const Store store = object_store_testing::make_faulty_store(*inner, {.latency = latency});
  const auto repository = must(Repository::open(store));
  for (std::uint32_t k = 0; k < plan.commits; ++k) {
    auto session = must(repository.writable_session("main"));
    for (std::uint32_t a = 0; a < plan.arrays; ++a) {
      Cells cells;
      for (const auto& [init, lead] : plan.cells(w, k)) cells.add(session, a, init, lead);
      cells.stage(session, a);
    }
    const auto start = SteadyClock::now();
    const auto result = must(commit(session, core::text("w", w, " k", k)));
    std::fprintf(out, "%.6f %u\n", seconds_since(start), result.rebase_attempts);
  }
}

void contend(Plan plan, std::chrono::milliseconds latency) {
  const Folder folder;
  in_child([&] {
    const auto repository = new_repository(folder.store(), plan.split);
    auto session = must(repository.writable_session("main"));
    create_arrays(session, plan.arrays, plan.split * plan.windows, plan.leads);
    for (std::uint32_t w = 0; w < plan.windows; ++w) {
      fill(session, plan.arrays, w * plan.split, plan.filled, plan.leads);
    }
    must(commit(session, "base"));
  });
  int results[2];
  if (::pipe(results) != 0) std::exit(1);
  const auto start = SteadyClock::now();
  std::vector<::pid_t> children;
  for (std::uint32_t w = 0; w < plan.writers; ++w) {
    const ::pid_t child = ::fork();
    if (child == 0) {
      std::FILE* out = ::fdopen(results[1], "w");
      write_commits(folder, plan, w, latency, out);
      std::fflush(out);
      ::_exit(0);
    }
    children.push_back(child);
  }
  ::close(results[1]);
  std::vector<double> seconds;
  std::vector<std::uint32_t> rebases;
  std::FILE* in = ::fdopen(results[0], "r");
  double one = 0;
  unsigned attempts = 0;
  while (std::fscanf(in, "%lf %u", &one, &attempts) == 2) {  // NOLINT: our own text
    seconds.push_back(one);
    rebases.push_back(attempts);
  }
  std::fclose(in);
  for (const ::pid_t child : children) ::waitpid(child, nullptr, 0);
  const double wall = seconds_since(start);
  const auto repository = must(Repository::open(folder.store()));
  const auto history = must(repository.ancestry(must(repository.tip("main"))));
  const auto session = must(repository.readonly_session(BranchName("main")));
  std::uint64_t missing = 0;
  for (std::uint32_t w = 0; w < plan.writers; ++w) {
    for (std::uint32_t k = 0; k < plan.commits; ++k) {
      for (const auto& [init, lead] : plan.cells(w, k)) {
        missing += must(session.has_chunk(array_name(0), ChunkIndex{init, lead, 0, 0})) ? 0U : 1U;
      }
    }
  }
  std::ranges::sort(seconds);
  std::ranges::sort(rebases);
  const auto at = [](const auto& sorted, double share) {
    return sorted[static_cast<std::size_t>(static_cast<double>(sorted.size() - 1) * share)];
  };
  const core::Json shown =
      core::Json::object({{"writers", plan.writers},
                          {"mode", plan.scattered ? "scattered" : "contiguous"},
                          {"latency_ms", std::int64_t{latency.count()}},
                          {"commits", std::uint64_t{seconds.size()}},
                          {"in_history", std::uint64_t{history.size() - 2}},
                          {"missing_references", missing},
                          {"commits_per_s", static_cast<double>(seconds.size()) / wall},
                          {"median_s", at(seconds, 0.5)},
                          {"slowest_s", seconds.back()},
                          {"rebases_p50", at(rebases, 0.5)},
                          {"rebases_p99", at(rebases, 0.99)},
                          {"rebases_max", rebases.back()}});
  std::puts(shown.dump().c_str());
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
  for (std::uint32_t i = 0; i < commits; ++i) {
    const auto start = SteadyClock::now();
    auto session = must(repository.writable_session("main"));
    Cells cells;
    cells.add(session, 0, i, 0);
    cells.stage(session, 0);
    must(commit(session, core::text("commit ", i)));
    seconds.push_back(seconds_since(start));
  }
  const std::size_t last = std::min<std::size_t>(seconds.size(), 100);
  std::vector<double> tail(seconds.end() - static_cast<std::ptrdiff_t>(last), seconds.end());
  std::ranges::sort(tail);
  const core::Json shown = core::Json::object({{"commits", commits},
                                               {"last_100_median_ms", tail[last / 2] * 1000},
                                               {"last_100_least_ms", tail[0] * 1000},
                                               {"store_bytes", folder.bytes()},
                                               {"peak_mib", peak_mib()}});
  std::puts(shown.dump().c_str());
}

void probe(std::uint32_t inits, std::uint32_t leads) {
  const Folder folder;
  const auto repository = new_repository(folder.store(), 500);
  {
    auto session = must(repository.writable_session("main"));
    create_arrays(session, 1, inits, leads);
    fill(session, 1, 0, inits, leads);
    must(commit(session, "filled"));
  }
  const auto session = must(repository.readonly_session(BranchName("main")));
  std::vector<std::uint32_t> indices;
  for (std::uint32_t i = 0; i < inits; ++i) {
    for (std::uint32_t l = 0; l < leads; ++l) indices.insert(indices.end(), {i, l, 0, 0});
  }
  must(session.have_chunks(array_name(0), indices));  // loads the manifests
  const auto rate = [&](const std::function<std::uint64_t()>& work) {
    const auto start = SteadyClock::now();
    const std::uint64_t found = work();
    return static_cast<double>(found) / seconds_since(start);
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
    const auto done = session.for_each_chunk(array_name(0), [&found](const ChunkEntry&) {
      ++found;
      return true;
    });
    return done ? found : 0;
  });
  const core::Json shown = core::Json::object({{"chunks", inits * leads},
                                               {"batched_per_s", batched},
                                               {"single_per_s", single},
                                               {"listed_per_s", listed}});
  std::puts(shown.dump().c_str());
}

std::uint32_t number(const std::vector<std::string>& words, std::size_t at,
                     std::uint32_t otherwise) {
  return at < words.size()
             ? static_cast<std::uint32_t>(std::strtoul(words[at].c_str(), nullptr, 10))
             : otherwise;
}

}  // namespace
}  // namespace icefield::icechunk

int main(int argc, char** argv) {
  using namespace icefield::icechunk;  // NOLINT: a program's own namespace
  const std::vector<std::string> words(argv + 1, argv + argc);
  const std::string command = words.empty() ? "" : words[0];
  const bool last_is = !words.empty() && words.back() == "windows";
  if (command == "flush") {
    flush(number(words, 1, 142), number(words, 2, 2200), number(words, 3, 49),
          last_is ? ManifestLayout::kWindows : ManifestLayout::kAppend);
  } else if (command == "contend") {
    Plan plan;
    plan.writers = number(words, 1, plan.writers);
    plan.scattered = words.back() == "scattered";
    contend(plan, std::chrono::milliseconds(number(words, 2, 0)));
  } else if (command == "history") {
    history(number(words, 1, 2000));
  } else if (command == "probe") {
    probe(number(words, 1, 2000), number(words, 2, 49));
  } else {
    std::fputs("usage: icechunk_commit flush|contend|history|probe ...\n", stderr);
    return 2;
  }
  return 0;
}
