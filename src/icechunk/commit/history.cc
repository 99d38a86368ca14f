#include "icechunk/commit/history.h"

#include <algorithm>

#include "core/text.h"

namespace icefield::icechunk {

core::Result<std::vector<SnapshotId>> logs_between(const RepoInfo& repo, const SnapshotId& from,
                                                   const SnapshotId& to) {
  TRY_ASSIGN(const auto ancestry, repo.ancestry(to));
  const auto found = std::ranges::find(ancestry, from, &SnapshotInfo::id);
  if (found == ancestry.end()) {
    return core::Error(core::ErrorCode::kInvalidArgument,
                       core::text(from.text(), " is no ancestor of ", to.text()));
  }
  std::vector<SnapshotId> logs;
  for (auto at = found; at != ancestry.begin();) {
    --at;
    const auto& pruned = (*at)->pruned_ancestor_tx_logs;
    logs.insert(logs.end(), pruned.begin(), pruned.end());
    logs.push_back((*at)->id);
  }
  return logs;
}

}  // namespace icefield::icechunk
