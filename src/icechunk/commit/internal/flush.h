#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/result.h"
#include "icechunk/commit/commit.h"
#include "icechunk/commit/internal/array_plan.h"
#include "icechunk/commit/internal/manifest_writer.h"
#include "icechunk/format/manifest_builder.h"
#include "icechunk/format/snapshot.h"
#include "icechunk/format/splitting.h"
#include "icechunk/session/session_state.h"

namespace icefield::icechunk {

/// How one commit turns references into manifests.
struct FlushOptions {
  ManifestLayout layout = ManifestLayout::kAppend;
  ManifestEffort effort = ManifestEffort::kCommit;
  std::size_t keep_manifests = 0;  // merge windows with more than this; 0: only what changed
  std::function<bool(std::string_view)> arrays;  // of keep_manifests
};

/// Windows that keep_manifests would merge, and the manifests in them, counted once per array.
struct Crowd {
  std::size_t windows = 0;
  std::size_t manifests = 0;
};
Crowd find_crowded_windows(const SessionState& state, const FlushOptions& options);

/// The manifests of one commit over all its attempts: what was written once is used again after
/// a lost race as long as it is still right.
class Flush {
 public:
  Flush(const SessionState& state, FlushOptions options);

  /// Whether arrays that have too many manifests get small ones merged: not before it is known
  /// what the commit is built on, since others may do it first.
  enum class Crowding : std::uint8_t { kLeave, kMerge };

  /// Brings the manifests of every changed array up to date for a snapshot built on the session's
  /// base, and writes those that are missing.
  core::Status run(Crowding crowding);

  /// The manifests of an array after run().
  ManifestList manifests_of(const NodeState& array) const;

  /// Manifests written so far that a snapshot may name.
  const std::vector<ManifestFile>& files() const noexcept { return files_; }

  struct Statistics {
    std::uint64_t manifests = 0;
    std::uint64_t bytes = 0;
    std::size_t windows_merged = 0;    // by keep_manifests
    std::size_t manifests_before = 0;  // in those windows
    std::size_t manifests_after = 0;
  };
  Statistics statistics() const;

 private:
  /// What becomes of one array's list.
  struct Outcome {
    bool merged = false;  // too many manifests were reduced, as far as it goes
    std::vector<ManifestRef> removed = {};
    std::vector<ManifestRef> added = {};
    std::vector<std::uint32_t> num_chunks = {};  // of the grid it was made for
    std::size_t changes = 0;                     // chunk changes it covers
    bool deletes_unheld = false;
    std::size_t windows_merged = 0;
    std::size_t manifests_before = 0;
  };
  struct Work;  // one array that needs a new outcome

  std::vector<Work> find_work(Crowding crowding);
  bool still_right(const Outcome& outcome, const NodeState& array) const;
  bool is_crowded_with(const Outcome& outcome, const NodeState& array) const;
  bool has_large_plans() const;
  core::Status plan(Work& work) const;
  core::Status write_large(Work& work) const;
  core::Status write_shared(std::vector<Work>& work);
  void keep_outcome(const Work& work, bool merged);
  core::Result<std::vector<std::shared_ptr<const Manifest>>> load(
      std::span<const ManifestId> ids) const;

  const SessionState& state_;
  FlushOptions options_;
  Splitter splitter_;
  std::optional<SnapshotId> base_;  // that outcomes_ were last looked at for
  std::unordered_map<NodeId, Outcome> outcomes_;
  std::vector<ManifestFile> files_;
  Statistics statistics_;
};

}  // namespace icefield::icechunk
