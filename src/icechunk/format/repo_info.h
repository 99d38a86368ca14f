#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/time.h"
#include "icechunk/format/config.h"
#include "icechunk/format/ids.h"
#include "icechunk/format/metadata.h"
#include "icechunk/format/operations_log.h"

namespace icefield::icechunk {

inline constexpr std::string_view kMainBranch = "main";

/// What the repo object repeats of a snapshot, and what only it knows: the parent.
struct SnapshotInfo {
  SnapshotId id = {};
  std::optional<SnapshotId> parent = {};  // absent: a root
  core::Instant flushed_at = {};
  std::string message = {};
  EncodedMetadata metadata = {};
  /// Logs of ancestors that were cut out between this snapshot and its parent, oldest first.
  std::vector<SnapshotId> pruned_ancestor_tx_logs = {};
  friend bool operator==(const SnapshotInfo&, const SnapshotInfo&) = default;
};

/// The object that is the repository: everything else is reached from it. Snapshots are named by
/// id here; that the wire numbers them is the codec's business.
struct RepoInfo {
  std::map<std::string, SnapshotId, std::less<>> branches = {};  // has main
  std::map<std::string, SnapshotId, std::less<>> tags = {};
  std::set<std::string, std::less<>> deleted_tags = {};  // names that may never be tags again
  std::vector<SnapshotInfo> snapshots = {};              // ascending by id, unique
  RepoStatus status = {};
  EncodedMetadata metadata = {};
  std::vector<Update> updates = {};                     // newest first, never empty
  std::optional<std::string> repo_before_updates = {};  // backup where the log goes on
  std::optional<RepositoryConfig> config = {};          // absent: all defaults
  std::set<std::uint16_t> enabled_flags = {};
  std::set<std::uint16_t> disabled_flags = {};
  friend bool operator==(const RepoInfo&, const RepoInfo&) = default;

  /// The snapshot's entry, by bisection, or nullptr.
  const SnapshotInfo* find(const SnapshotId& id) const;
  SnapshotInfo* find(const SnapshotId& id);

  /// Errors: kNotFound, naming the branch or tag.
  core::Result<SnapshotId> branch_tip(std::string_view branch) const;
  core::Result<SnapshotId> tag_target(std::string_view tag) const;

  /// `from` and its ancestors, newest first, down to a root.
  /// Errors: kNotFound when `from` is unknown; kCorrupt when parents are missing or run in a ring.
  core::Result<std::vector<const SnapshotInfo*>> ancestry(const SnapshotId& from) const;
};

}  // namespace icefield::icechunk
