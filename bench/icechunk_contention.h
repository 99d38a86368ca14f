#pragma once

// What icechunk_contend and s3_contend share: many writers, each with commits of its own, into
// arrays of several windows whose beginnings a base commit fills.
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <sys/resource.h>

#include "icechunk_workload.h"

namespace icefield::icechunk::bench {

struct Contention {
  std::uint32_t arrays = 20;
  std::uint32_t windows = 32;
  std::uint32_t filled = 54;  // inits of each window that the base holds
  std::uint32_t leads = 19;
  std::uint32_t split = 54 + 16;
  std::uint32_t references = 8;  // per array and commit
  std::uint32_t spread = 4;      // windows that a scattered commit touches
  std::uint32_t writers = 32;
  std::uint32_t commits = 4;
  bool scattered = false;

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

  void make_base(const Store& store) const {
    const auto repository = new_repository(store, split);
    auto session = must(repository.writable_session("main"));
    create_arrays(session, arrays, split * windows, leads);
    for (std::uint32_t w = 0; w < windows; ++w) {
      fill(session, {0, arrays}, w * split, filled, leads);
    }
    must(commit(session, "base"));
  }

  /// Stages what commit `k` of writer `w` adds.
  void stage(Session& session, std::uint32_t w, std::uint32_t k) const {
    for (std::uint32_t a = 0; a < arrays; ++a) {
      Cells added;
      for (const auto& [init, lead] : cells(w, k)) added.add(session, a, init, lead, leads);
      added.stage(session, a);
    }
  }

  /// References that should be there and are not.
  std::uint64_t count_missing(const Repository& repository) const {
    const auto session = must(repository.readonly_session(BranchName("main")));
    std::uint64_t missing = 0;
    for (std::uint32_t a = 0; a < arrays; ++a) {
      std::vector<std::uint32_t> wanted;
      for (std::uint32_t w = 0; w < writers; ++w) {
        for (std::uint32_t k = 0; k < commits; ++k) {
          for (const auto& [init, lead] : cells(w, k)) {
            wanted.insert(wanted.end(), {init, lead, 0, 0});
          }
        }
      }
      const auto have = must(session.have_chunks(array_name(a), wanted));
      missing += static_cast<std::uint64_t>(std::ranges::count(have, false));
    }
    return missing;
  }
};

/// Of all children that have ended.
inline double children_cpu_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

/// The value below which a share of the sorted ones lies.
template <typename T>
T quantile(const std::vector<T>& sorted, double share) {
  return sorted[static_cast<std::size_t>(static_cast<double>(sorted.size() - 1) * share)];
}

}  // namespace icefield::icechunk::bench
