#pragma once

// The work that icechunk_commit, icechunk_contend, icechunk_read and icechunk_stream share with
// each other and with bench/icechunk_official.py: HRRR-like arrays (init_time, lead_time, y, x) of
// one chunk per (init, lead), each chunk one message of the file of that init and lead. All of it
// is a function of (array, init, lead), so that the official library gets the same references.
#include <array>
#include <chrono>
#include <cmath>
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
#include <utility>
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

namespace icefield::icechunk::bench {

using SteadyClock = std::chrono::steady_clock;
using Store = std::shared_ptr<object_store::ObjectStore>;

template <typename T>
T must(core::Result<T> result) {
  if (result) return *std::move(result);
  std::fputs((result.error().message() + "\n").c_str(), stderr);
  std::exit(1);
}
inline void must(const core::Status& status) {
  if (status) return;
  std::fputs((status.error().message() + "\n").c_str(), stderr);
  std::exit(1);
}

inline double seconds_since(SteadyClock::time_point start) {
  return std::chrono::duration<double>(SteadyClock::now() - start).count();
}

inline double cpu_seconds() {
  std::timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// A field of the system's account of this process, in MiB.
inline double status_mib(std::string_view field) {
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line)) {
    if (line.starts_with(field)) return std::strtod(line.c_str() + field.size(), nullptr) / 1024;
  }
  return 0;
}
inline double resident_mib() {
  return status_mib("VmRSS:");
}
/// Most memory that this process had at once, or since the last forget_peak().
inline double peak_mib() {
  return status_mib("VmHWM:");
}
inline void forget_peak() {
  std::ofstream("/proc/self/clear_refs") << "5";
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

  std::filesystem::path path() const { return path_; }
  Store store() const { return must(object_store::make_local_store((path_ / "repo").string())); }

  std::uint64_t bytes(std::string_view below = "") const {
    std::uint64_t bytes = 0;
    const auto root = below.empty() ? path_ : path_ / "repo" / below;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
      if (entry.is_regular_file() && entry.hard_link_count() == 1) bytes += entry.file_size();
    }
    return bytes;
  }
  std::uint64_t file_bytes(std::string_view name) const {
    return std::filesystem::file_size(path_ / "repo" / name);
  }

 private:
  std::filesystem::path path_;
  ::pid_t owner_ = ::getpid();
};

inline std::string array_name(std::uint32_t array) {
  std::array<char, 16> name{};
  std::snprintf(name.data(), name.size(), "/var_%03u", array);
  return name.data();
}

inline std::string array_json(std::uint32_t inits, std::uint32_t leads) {
  return core::text(R"({"zarr_format":3,"node_type":"array","shape":[)", inits, ",", leads,
                    R"(,1059,1799],"data_type":"float32","chunk_grid":{"name":"regular",)",
                    R"("configuration":{"chunk_shape":[1,1,1059,1799]}},"chunk_key_encoding":)",
                    R"({"name":"default","configuration":{"separator":"/"}},"fill_value":"NaN",)",
                    R"("codecs":[{"name":"bytes","configuration":{"endian":"little"}}],)",
                    R"("dimension_names":["init_time","lead_time","y","x"],"attributes":{}})");
}

inline std::string location_of(std::uint32_t init, std::uint32_t lead) {
  const std::chrono::sys_days first = std::chrono::year(2014) / 7 / 30;
  const auto day = std::chrono::year_month_day(first + std::chrono::days(init / 24));
  std::array<char, 96> text{};
  std::snprintf(text.data(), text.size(),
                "vcc://hrrr/hrrr.%04d%02u%02u/conus/hrrr.t%02uz.wrfsfcf%02u.grib2",
                static_cast<int>(day.year()), static_cast<unsigned>(day.month()),
                static_cast<unsigned>(day.day()), init % 24, lead);
  return text.data();
}

/// 0 to 1 out of the upper 53 bits.
inline double share_of(std::uint64_t drawn) {
  return static_cast<double>(drawn >> 11U) / 9007199254740992.0;
}

/// Typical length of an array's messages: 32 KiB to 2 MiB.
inline double base_length(std::uint32_t array) {
  std::uint64_t state = std::uint64_t{array} + 7'000'003;
  return std::floor(std::exp2(15 + 6 * share_of(core::splitmix64(state))));
}

/// Where an array's messages begin, about.
inline double base_offset(std::uint32_t array) {
  static std::vector<double> known{0};
  while (known.size() <= array) {
    const auto last = static_cast<std::uint32_t>(known.size() - 1);
    known.push_back(known.back() + base_length(last));
  }
  return known[array];
}

/// References of one array at some cells.
struct Cells {
  std::vector<std::uint32_t> indices;
  std::vector<LocationNumber> locations;
  std::vector<std::uint64_t> offsets;
  std::vector<std::uint64_t> lengths;

  void add(LocationNumber location, std::uint32_t array, std::uint32_t init, std::uint32_t lead,
           std::uint32_t leads) {
    std::uint64_t state = (std::uint64_t{init} * leads + lead) * 1'000'003 + array;
    const std::uint64_t first = core::splitmix64(state);
    std::uint64_t next = first;
    indices.insert(indices.end(), {init, lead, 0, 0});
    locations.push_back(location);
    lengths.push_back(
        static_cast<std::uint64_t>(base_length(array) * (0.85 + 0.3 * share_of(first))));
    offsets.push_back(static_cast<std::uint64_t>(base_offset(array) *
                                                 (0.97 + 0.06 * share_of(core::splitmix64(next)))));
  }
  void add(Session& session, std::uint32_t array, std::uint32_t init, std::uint32_t lead,
           std::uint32_t leads) {
    add(must(session.add_location(location_of(init, lead))), array, init, lead, leads);
  }
  void stage(Session& session, std::uint32_t array) const {
    must(session.set_virtual_references(
        array_name(array),
        {.indices = indices, .locations = locations, .offsets = offsets, .lengths = lengths}));
  }
};

/// `split`: inits of one window; 0: no windows.
inline RepositoryConfig workload_config(std::uint32_t split) {
  RepositoryConfig config;
  if (split > 0) {
    config.set_splitting(
        {SplitRule{.condition = {},
                   .sizes = {SplitSize{.condition = {.kind = AxisCondition::Kind::kAxis},
                                       .num_chunks = split}}}});
  }
  must(
      config.set_container(anonymous_s3_container("hrrr", "s3://noaa-hrrr-bdp-pds/", "us-east-1")));
  return config;
}

inline Repository new_repository(const Store& store, std::uint32_t split) {
  return must(Repository::create(store, workload_config(split)));
}

inline void create_arrays(Session& session, std::uint32_t arrays, std::uint32_t inits,
                          std::uint32_t leads) {
  must(session.set_metadata("/", core::as_bytes(R"({"zarr_format":3,"node_type":"group"})")));
  for (std::uint32_t a = 0; a < arrays; ++a) {
    must(session.set_metadata(array_name(a), core::as_bytes(array_json(inits, leads))));
  }
}

/// Sets whole inits of the arrays [first_array, last_array).
inline void fill(Session& session, std::pair<std::uint32_t, std::uint32_t> arrays,
                 std::uint32_t first, std::uint32_t inits, std::uint32_t leads) {
  std::vector<LocationNumber> locations;
  for (std::uint32_t i = first; i < first + inits; ++i) {
    for (std::uint32_t l = 0; l < leads; ++l) {
      locations.push_back(must(session.add_location(location_of(i, l))));
    }
  }
  for (std::uint32_t a = arrays.first; a < arrays.second; ++a) {
    Cells cells;
    std::size_t at = 0;
    for (std::uint32_t i = first; i < first + inits; ++i) {
      for (std::uint32_t l = 0; l < leads; ++l) cells.add(locations[at++], a, i, l, leads);
    }
    cells.stage(session, a);
  }
}

/// Runs `work` in a process of its own, so that caches are cold and memory is its own.
inline void in_child(const std::function<void()>& work) {
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

/// The number at a place of the command line, or what it is without.
inline std::uint32_t number(const std::vector<std::string>& words, std::size_t at,
                            std::uint32_t otherwise) {
  return at < words.size()
             ? static_cast<std::uint32_t>(std::strtoul(words[at].c_str(), nullptr, 10))
             : otherwise;
}

}  // namespace icefield::icechunk::bench
