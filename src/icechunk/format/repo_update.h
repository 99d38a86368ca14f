#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/json.h"
#include "core/result.h"
#include "core/time.h"
#include "icechunk/format/repo_info.h"
#include "icechunk/format/snapshot.h"

// Every change that can be made to a repo object, as a function on the value. None of them does
// I/O, and none adds the log entry twice: each checks, changes and records, or returns an Error
// and leaves the value as it was. A lost race is repeated on the fresh object.

namespace icefield::icechunk {

/// When a change is made, and under which name the state before it was copied away.
struct UpdateStamp {
  core::Instant now = {};   // by the writer's best knowledge of the store's clock
  std::string backup = {};  // new_backup_name(); where the state before was copied
};

/// Adds one entry on top of the log: time max(now, newest + 1 us); the former newest gets the
/// backup's name; entries beyond the configured limit that have a backup are cut off and
/// repo_before_updates leads to them.
void record_update(RepoInfo& repo, UpdateKind kind, const UpdateStamp& stamp);

/// A repository just created: main at the initial snapshot.
RepoInfo initial_repo(const SnapshotInfo& first, std::optional<RepositoryConfig> config,
                      core::Instant now);

/// What a repo object repeats of a snapshot. Errors: kInvalidArgument for bad metadata.
core::Result<SnapshotInfo> info_of(const Snapshot& snapshot, std::optional<SnapshotId> parent);

/// Errors: kPermissionDenied, with the stored reason, when the repository is read only.
core::Status require_online(const RepoInfo& repo);

enum class Feature : std::uint16_t { kMoveNode = 3, kCreateTag = 4, kDeleteTag = 5 };

/// Errors: kPermissionDenied when the feature is switched off.
core::Status require_feature(const RepoInfo& repo, Feature feature);
bool feature_enabled(const RepoInfo& repo, Feature feature);

/// Adds a snapshot to the list without touching refs or the log.
/// Errors: kInvalidArgument when it is there already or its parent is not.
core::Status insert_snapshot(RepoInfo& repo, SnapshotInfo added);

/// Publishes `made` (its parent set to the expected tip) on a branch.
/// Errors: kNotFound: no such branch; kConflict: the tip is not made.parent;
///         kInvalidArgument: flushed_at not later than the parent's, id taken.
core::Status add_commit(RepoInfo& repo, std::string_view branch, SnapshotInfo made,
                        const UpdateStamp& stamp);

/// Puts `made` in the place of the branch's tip `replaced`: its parent becomes the parent of
/// `replaced`, whose pruned logs it inherits. Errors: as add_commit; kInvalidArgument for a root.
core::Status amend_commit(RepoInfo& repo, std::string_view branch, const SnapshotId& replaced,
                          SnapshotInfo made, const UpdateStamp& stamp);

/// Registers a snapshot that no branch points to. Errors: as insert_snapshot.
core::Status add_detached(RepoInfo& repo, SnapshotInfo made, const UpdateStamp& stamp);

/// Errors: kConflict: the name is taken; kNotFound: the snapshot is unknown.
core::Status create_branch(RepoInfo& repo, std::string_view name, const SnapshotId& at,
                           const UpdateStamp& stamp);
/// Errors: kInvalidArgument for main; kNotFound.
core::Status delete_branch(RepoInfo& repo, std::string_view name, const UpdateStamp& stamp);
/// Errors: kNotFound: branch or target; kConflict: the tip is not `expected` (where given).
core::Status reset_branch(RepoInfo& repo, std::string_view name, const SnapshotId& to,
                          std::optional<SnapshotId> expected, const UpdateStamp& stamp);

/// Errors: kConflict: the name is or was a tag; kNotFound: the snapshot is unknown.
core::Status create_tag(RepoInfo& repo, std::string_view name, const SnapshotId& at,
                        const UpdateStamp& stamp);
/// The name can never be used again. Errors: kNotFound.
core::Status delete_tag(RepoInfo& repo, std::string_view name, const UpdateStamp& stamp);

/// Replaces the repository's metadata.
core::Status set_metadata(RepoInfo& repo, const Metadata& metadata, const UpdateStamp& stamp);
/// Sets the given members, keeps the others.
core::Status merge_metadata(RepoInfo& repo, const Metadata& members, const UpdateStamp& stamp);

/// Works in every status.
core::Status set_status(RepoInfo& repo, Availability availability,
                        std::optional<std::string> reason, const UpdateStamp& stamp);

/// `value` absent: back to the default. Errors: kInvalidArgument for a flag nobody knows.
core::Status set_feature_flag(RepoInfo& repo, std::uint16_t flag, std::optional<bool> value,
                              const UpdateStamp& stamp);

core::Status set_config(RepoInfo& repo, RepositoryConfig config, const UpdateStamp& stamp);

}  // namespace icefield::icechunk
