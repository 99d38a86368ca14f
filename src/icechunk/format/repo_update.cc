#include "icechunk/format/repo_update.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/text.h"

namespace icefield::icechunk {
namespace {

constexpr std::uint16_t kDefaultUpdatesKept = 1000;

core::Error conflict(std::string message) {
  return core::Error(core::ErrorCode::kConflict, std::move(message));
}
core::Error invalid(std::string message) {
  return core::Error(core::ErrorCode::kInvalidArgument, std::move(message));
}
core::Error not_found(std::string message) {
  return core::Error(core::ErrorCode::kNotFound, std::move(message));
}

core::Status require_known(const RepoInfo& repo, const SnapshotId& id) {
  if (repo.find(id) == nullptr) return not_found(core::text("no snapshot ", id.text()));
  return {};
}

/// The tip must be what the caller believes; the error tells both.
core::Status require_tip(const RepoInfo& repo, std::string_view branch,
                         const std::optional<SnapshotId>& expected) {
  TRY_ASSIGN(const SnapshotId tip, repo.branch_tip(branch));
  if (expected != tip) {
    return conflict(core::text("branch ", branch, " moved: expected ",
                               expected ? expected->text() : "no snapshot", ", is ", tip.text()));
  }
  return {};
}

/// What every new snapshot must satisfy, before anything is changed.
core::Status check_insertion(const RepoInfo& repo, const SnapshotInfo& added) {
  if (repo.find(added.id) != nullptr) {
    return invalid(core::text("snapshot ", added.id.text(), " is in the repository already"));
  }
  if (!added.parent) return {};
  const SnapshotInfo* const parent = repo.find(*added.parent);
  if (parent == nullptr) {
    return invalid(core::text("snapshot ", added.id.text(), ": parent ", added.parent->text(),
                              " is not in the repository"));
  }
  if (added.flushed_at <= parent->flushed_at) {
    return invalid(
        core::text("snapshot ", added.id.text(), " of ", core::format_instant(added.flushed_at),
                   " is not later than its parent of ", core::format_instant(parent->flushed_at)));
  }
  return {};
}

void insert_checked(RepoInfo& repo, SnapshotInfo added) {
  const auto at = std::ranges::lower_bound(repo.snapshots, added.id, {}, &SnapshotInfo::id);
  repo.snapshots.insert(at, std::move(added));
}

bool is_known_flag(std::uint16_t flag) {
  return flag == static_cast<std::uint16_t>(Feature::kMoveNode) ||
         flag == static_cast<std::uint16_t>(Feature::kCreateTag) ||
         flag == static_cast<std::uint16_t>(Feature::kDeleteTag);
}

std::string_view feature_name(Feature feature) {
  switch (feature) {
    case Feature::kMoveNode:
      return "move_node";
    case Feature::kCreateTag:
      return "create_tag";
    case Feature::kDeleteTag:
      return "delete_tag";
  }
  return "unknown";
}

}  // namespace

void record_update(RepoInfo& repo, UpdateKind kind, const UpdateStamp& stamp) {
  // docs/formats/icechunk.md, Operations log
  Update added{.kind = std::move(kind), .at = stamp.now};
  auto& log = repo.updates;
  if (!log.empty()) {
    added.at = std::max(added.at, log.front().at + std::chrono::microseconds(1));
    log.front().backup = stamp.backup;
  }
  log.insert(log.begin(), std::move(added));
  const std::size_t limit =
      repo.config ? repo.config->num_updates_per_repo_info_file() : kDefaultUpdatesKept;
  // Entries made by migration have no backup and are never cut off.
  for (std::size_t at = limit; at < log.size(); ++at) {
    if (!log[at].backup) continue;
    repo.repo_before_updates = log[at].backup;
    log.resize(at);
  }
}

RepoInfo initial_repo(const SnapshotInfo& first, std::optional<RepositoryConfig> config,
                      core::Instant now) {
  RepoInfo repo;
  repo.branches.emplace(kMainBranch, first.id);
  repo.snapshots.push_back(first);
  repo.status.set_at = now;
  repo.updates.push_back({.kind = update::RepoInitialized{}, .at = now});
  repo.config = std::move(config);
  return repo;
}

core::Result<SnapshotInfo> info_of(const Snapshot& snapshot, std::optional<SnapshotId> parent) {
  SnapshotInfo info{.id = snapshot.id,
                    .parent = parent,
                    .flushed_at = snapshot.flushed_at,
                    .message = snapshot.message};
  TRY_ASSIGN(info.metadata, encode_metadata(snapshot.metadata));
  return info;
}

core::Status require_online(const RepoInfo& repo) {
  if (repo.status.availability != Availability::kReadOnly) return {};
  return core::Error(core::ErrorCode::kPermissionDenied,
                     core::text("the repository is read only: ",
                                repo.status.reason.value_or("no reason was given")));
}

bool feature_enabled(const RepoInfo& repo, Feature feature) {
  return !repo.disabled_flags.contains(static_cast<std::uint16_t>(feature));
}

core::Status require_feature(const RepoInfo& repo, Feature feature) {
  if (feature_enabled(repo, feature)) return {};
  return core::Error(
      core::ErrorCode::kPermissionDenied,
      core::text("the repository has the feature ", feature_name(feature), " switched off"));
}

core::Status insert_snapshot(RepoInfo& repo, SnapshotInfo added) {
  TRY(check_insertion(repo, added));
  insert_checked(repo, std::move(added));
  return {};
}

core::Status add_commit(RepoInfo& repo, std::string_view branch, SnapshotInfo made,
                        const UpdateStamp& stamp) {
  TRY(require_online(repo));
  TRY(require_tip(repo, branch, made.parent));
  TRY(check_insertion(repo, made));
  const SnapshotId id = made.id;
  insert_checked(repo, std::move(made));
  repo.branches.find(branch)->second = id;
  record_update(repo, update::NewCommit{.branch = std::string(branch), .made = id}, stamp);
  return {};
}

core::Status amend_commit(RepoInfo& repo, std::string_view branch, const SnapshotId& replaced,
                          SnapshotInfo made, const UpdateStamp& stamp) {
  TRY(require_online(repo));
  TRY(require_tip(repo, branch, replaced));
  const SnapshotInfo* const before = repo.find(replaced);
  if (before == nullptr) return not_found(core::text("no snapshot ", replaced.text()));
  if (!before->parent) return invalid("the first snapshot of a repository cannot be amended");
  made.parent = before->parent;
  made.pruned_ancestor_tx_logs = before->pruned_ancestor_tx_logs;
  TRY(check_insertion(repo, made));
  const SnapshotId id = made.id;
  insert_checked(repo, std::move(made));
  repo.branches.find(branch)->second = id;
  record_update(
      repo, update::CommitAmended{.branch = std::string(branch), .previous = replaced, .made = id},
      stamp);
  return {};
}

core::Status add_detached(RepoInfo& repo, SnapshotInfo made, const UpdateStamp& stamp) {
  TRY(require_online(repo));
  const SnapshotId id = made.id;
  TRY(insert_snapshot(repo, std::move(made)));
  record_update(repo, update::NewDetachedSnapshot{.made = id}, stamp);
  return {};
}

core::Status create_branch(RepoInfo& repo, std::string_view name, const SnapshotId& at,
                           const UpdateStamp& stamp) {
  TRY(require_online(repo));
  if (name.empty()) return invalid("a branch needs a name");
  TRY(require_known(repo, at));
  const auto [place, added] = repo.branches.emplace(name, at);
  if (!added) {
    return conflict(core::text("branch ", name, " exists, at ", place->second.text()));
  }
  record_update(repo, update::BranchCreated{.name = std::string(name)}, stamp);
  return {};
}

core::Status delete_branch(RepoInfo& repo, std::string_view name, const UpdateStamp& stamp) {
  TRY(require_online(repo));
  if (name == kMainBranch) return invalid("branch main cannot be deleted");
  TRY_ASSIGN(const SnapshotId tip, repo.branch_tip(name));
  repo.branches.erase(repo.branches.find(name));
  record_update(repo, update::BranchDeleted{.name = std::string(name), .previous = tip}, stamp);
  return {};
}

core::Status reset_branch(RepoInfo& repo, std::string_view name, const SnapshotId& to,
                          std::optional<SnapshotId> expected, const UpdateStamp& stamp) {
  TRY(require_online(repo));
  TRY_ASSIGN(const SnapshotId tip, repo.branch_tip(name));
  if (expected) TRY(require_tip(repo, name, expected));
  TRY(require_known(repo, to));
  repo.branches.find(name)->second = to;
  record_update(repo, update::BranchReset{.name = std::string(name), .previous = tip}, stamp);
  return {};
}

core::Status create_tag(RepoInfo& repo, std::string_view name, const SnapshotId& at,
                        const UpdateStamp& stamp) {
  TRY(require_online(repo));
  TRY(require_feature(repo, Feature::kCreateTag));
  if (name.empty()) return invalid("a tag needs a name");
  if (repo.tags.contains(name)) return conflict(core::text("tag ", name, " exists"));
  if (repo.deleted_tags.contains(name)) {
    return conflict(core::text("tag ", name, " was deleted; its name cannot be used again"));
  }
  TRY(require_known(repo, at));
  repo.tags.emplace(name, at);
  record_update(repo, update::TagCreated{.name = std::string(name)}, stamp);
  return {};
}

core::Status delete_tag(RepoInfo& repo, std::string_view name, const UpdateStamp& stamp) {
  TRY(require_online(repo));
  TRY(require_feature(repo, Feature::kDeleteTag));
  TRY_ASSIGN(const SnapshotId target, repo.tag_target(name));
  repo.tags.erase(repo.tags.find(name));
  repo.deleted_tags.emplace(name);
  record_update(repo, update::TagDeleted{.name = std::string(name), .previous = target}, stamp);
  return {};
}

core::Status set_metadata(RepoInfo& repo, const Metadata& metadata, const UpdateStamp& stamp) {
  TRY(require_online(repo));
  TRY_ASSIGN(repo.metadata, encode_metadata(metadata));
  record_update(repo, update::MetadataChanged{}, stamp);
  return {};
}

core::Status merge_metadata(RepoInfo& repo, const Metadata& members, const UpdateStamp& stamp) {
  TRY(require_online(repo));
  TRY_ASSIGN(auto items, encode_metadata(members));
  for (EncodedItem& item : items) {
    const auto at = std::ranges::lower_bound(repo.metadata, item.name, {}, &EncodedItem::name);
    if (at != repo.metadata.end() && at->name == item.name) {
      *at = std::move(item);
    } else {
      repo.metadata.insert(at, std::move(item));
    }
  }
  record_update(repo, update::MetadataChanged{}, stamp);
  return {};
}

core::Status set_status(RepoInfo& repo, Availability availability,
                        std::optional<std::string> reason, const UpdateStamp& stamp) {
  repo.status = {.availability = availability, .set_at = stamp.now, .reason = std::move(reason)};
  record_update(repo, update::RepoStatusChanged{.status = repo.status}, stamp);
  return {};
}

core::Status set_feature_flag(RepoInfo& repo, std::uint16_t flag, std::optional<bool> value,
                              const UpdateStamp& stamp) {
  TRY(require_online(repo));
  if (!is_known_flag(flag)) return invalid(core::text("no feature flag ", flag));
  repo.enabled_flags.erase(flag);
  repo.disabled_flags.erase(flag);
  if (value) (*value ? repo.enabled_flags : repo.disabled_flags).insert(flag);
  record_update(repo,
                update::FeatureFlagChanged{
                    .flag = flag, .value = value.value_or(false), .is_set = value.has_value()},
                stamp);
  return {};
}

core::Status set_config(RepoInfo& repo, RepositoryConfig config, const UpdateStamp& stamp) {
  TRY(require_online(repo));
  repo.config = std::move(config);
  record_update(repo, update::ConfigChanged{}, stamp);
  return {};
}

}  // namespace icefield::icechunk
