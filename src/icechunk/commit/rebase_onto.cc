#include "icechunk/commit/internal/rebase_onto.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "core/parallel.h"
#include "core/text.h"
#include "icechunk/commit/conflicts.h"
#include "icechunk/commit/history.h"

namespace icefield::icechunk {
namespace {

constexpr std::size_t kRequestsAtOnce = 16;

/// Drops of our changes what theirs keeps or has done as well.
void settle(SessionState& state, const std::vector<Conflict>& conflicts, const Snapshot& tip,
            const ConflictPolicy& policy) {
  for (const Conflict& conflict : conflicts) {
    if (conflict.kind == ConflictKind::kChunkDoubleUpdate &&
        policy.chunk_double_update == Preference::kTheirs) {
      state.changes().chunks.find(state.find(conflict.path)->id)->second.forget(conflict.chunks);
    }
  }
  std::erase_if(state.changes().deleted, [&tip](const auto& entry) {
    return tip.find(entry.first) == nullptr;  // both deleted it
  });
}

}  // namespace

core::Status rebase_onto(SessionState& state, const RepoInfo& repo, const SnapshotId& tip,
                         const ConflictPolicy& policy) {
  AssetStore& assets = *state.context().assets;
  if (state.changes().empty()) {  // nothing that could contradict
    TRY_ASSIGN(auto snapshot, assets.snapshot(tip));
    state.move_base(std::move(snapshot));
    return {};
  }
  const auto found = logs_between(repo, state.base().id, tip);
  if (!found) {
    return core::Error(core::ErrorCode::kConflict,
                       "the branch was reset: " + found.error().message());
  }
  const std::vector<SnapshotId>& ids = *found;

  // the new base is fetched together with the logs
  core::Result<std::shared_ptr<const Snapshot>> base =
      core::Error(core::ErrorCode::kUnavailable, "not read");
  std::vector<std::size_t> order(ids.size() + 1);
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto logs =
      core::parallel_map(std::span<const std::size_t>(order), kRequestsAtOnce,
                         [&](std::size_t i) -> core::Result<std::shared_ptr<const TransactionLog>> {
                           if (i < ids.size()) return assets.transaction_log(ids[i]);
                           base = assets.snapshot(tip);
                           return std::shared_ptr<const TransactionLog>();
                         });
  if (!base) return std::move(base).error();

  std::vector<Conflict> all;
  for (const auto& log : logs) {
    if (!log) return core::Error(log.error()).within("rebase");
    if (*log == nullptr) continue;
    for (Conflict& conflict : find_conflicts({.ours = state, .theirs = **log, .tip = **base})) {
      const auto same = [&conflict](const Conflict& other) {
        return other.kind == conflict.kind && other.path == conflict.path;
      };
      // what the tree shows is found again with every log; chunks differ from log to log
      if (conflict.chunks.empty() && std::ranges::any_of(all, same)) continue;
      all.push_back(std::move(conflict));
    }
  }
  std::vector<Conflict> unsolved;
  std::ranges::copy_if(all, std::back_inserter(unsolved),
                       [&policy](const Conflict& conflict) { return !solvable(conflict, policy); });
  if (!unsolved.empty()) {
    return core::Error(core::ErrorCode::kConflict, "rebase: " + describe(unsolved));
  }
  settle(state, all, **base, policy);
  state.move_base(*base);
  return {};
}

}  // namespace icefield::icechunk
