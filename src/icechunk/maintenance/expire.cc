#include "icechunk/maintenance/expire.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "icechunk/commit/update_repo.h"
#include "icechunk/format/repo_update.h"
#include "icechunk/maintenance/changeable.h"

namespace icefield::icechunk {
namespace {

/// Snapshots that may go: old, not a root, and not held by a ref.
std::set<SnapshotId> released_snapshots(const RepoInfo& repo, const ExpireOptions& options) {
  std::set<SnapshotId> released;
  for (const SnapshotInfo& snapshot : repo.snapshots) {
    if (snapshot.parent && snapshot.flushed_at < options.older_than) released.insert(snapshot.id);
  }
  for (const auto& [name, tip] : repo.branches) {
    if (name == kMainBranch || !options.delete_branches) released.erase(tip);
  }
  if (!options.delete_tags) {
    for (const auto& [name, target] : repo.tags) released.erase(target);
  }
  return released;
}

/// The root of a snapshot's history, and the ids of all logs between the two, oldest first.
struct Cut {
  SnapshotId root;
  std::vector<SnapshotId> logs;
};

Cut cut_below(const RepoInfo& repo, const SnapshotInfo& snapshot) {
  std::vector<const SnapshotInfo*> between;  // newest first
  const SnapshotInfo* at = repo.find(*snapshot.parent);
  while (at->parent && between.size() < repo.snapshots.size()) {  // a ring has no root
    between.push_back(at);
    at = repo.find(*at->parent);
  }
  Cut cut{.root = at->id, .logs = {}};
  for (auto ancestor = between.rbegin(); ancestor != between.rend(); ++ancestor) {
    const auto& pruned = (*ancestor)->pruned_ancestor_tx_logs;
    cut.logs.insert(cut.logs.end(), pruned.begin(), pruned.end());
    cut.logs.push_back((*ancestor)->id);
  }
  return cut;
}

bool is_expired(const RepoInfo& repo, const SnapshotId& id, const ExpireOptions& options) {
  const SnapshotInfo* snapshot = repo.find(id);
  return snapshot->parent && snapshot->flushed_at < options.older_than;
}

void delete_expired_refs(RepoInfo& repo, const ExpireOptions& options, ExpireResult& result) {
  for (auto branch = repo.branches.begin(); branch != repo.branches.end();) {
    const bool goes = options.delete_branches && branch->first != kMainBranch &&
                      is_expired(repo, branch->second, options);
    if (goes) result.branches.push_back(branch->first);
    branch = goes ? repo.branches.erase(branch) : std::next(branch);
  }
  for (auto tag = repo.tags.begin(); tag != repo.tags.end();) {
    const bool goes = options.delete_tags && is_expired(repo, tag->second, options);
    if (goes) {
      result.tags.push_back(tag->first);
      repo.deleted_tags.insert(tag->first);
    }
    tag = goes ? repo.tags.erase(tag) : std::next(tag);
  }
}

}  // namespace

ExpireResult expire_in(RepoInfo& repo, const ExpireOptions& options) {
  ExpireResult result;
  const auto released = released_snapshots(repo, options);
  std::map<SnapshotId, Cut> cuts;  // all found before any parent changes
  for (const SnapshotInfo& snapshot : repo.snapshots) {
    const bool cut_off =
        snapshot.parent && !released.contains(snapshot.id) && released.contains(*snapshot.parent);
    if (cut_off) cuts.emplace(snapshot.id, cut_below(repo, snapshot));
  }
  delete_expired_refs(repo, options, result);
  for (auto& [id, cut] : cuts) {
    SnapshotInfo& snapshot = *repo.find(id);
    snapshot.parent = cut.root;
    auto& pruned = snapshot.pruned_ancestor_tx_logs;
    pruned.insert(pruned.begin(), cut.logs.begin(), cut.logs.end());
  }
  result.shortened = cuts.size();
  result.released.assign(released.begin(), released.end());
  std::erase_if(repo.snapshots, [&released](const SnapshotInfo& snapshot) {
    return released.contains(snapshot.id);
  });
  return result;
}

core::Result<ExpireResult> expire(const Repository& repository, const ExpireOptions& options) {
  TRY(require_changeable(repository));
  TRY_ASSIGN(const auto info, repository.info());
  RepoInfo trial = *info;
  ExpireResult result = expire_in(trial, options);
  if (options.dry_run || result.nothing()) return result;
  TRY(update_repo(*repository.assets(), [&](RepoInfo& repo, const UpdateStamp& stamp) {
    result = expire_in(repo, options);
    record_update(repo, update::ExpirationRan{}, stamp);
    return core::Status();
  }));
  return result;
}

}  // namespace icefield::icechunk
