#include "icechunk/commit/internal/commit_run.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "core/parallel.h"
#include "core/text.h"
#include "icechunk/assets/keys.h"
#include "icechunk/commit/internal/assemble.h"
#include "icechunk/commit/internal/rebase_onto.h"
#include "icechunk/commit/internal/turn.h"
#include "icechunk/commit/update_repo.h"
#include "icechunk/format/backup_name.h"
#include "icechunk/format/repo_update.h"
#include "icechunk/format/snapshot_codec.h"
#include "icechunk/format/transaction_log_codec.h"

namespace icefield::icechunk {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::string_view kReservedKey = "__icechunk";
constexpr std::string_view kOurKey = "icefield";
constexpr std::chrono::seconds kMostClockError{600};
constexpr int kClockCorrections = 3;
constexpr std::array<std::chrono::seconds, kClockCorrections> kStepsBack = {
    std::chrono::seconds(0), std::chrono::seconds(5), std::chrono::seconds(60)};

std::chrono::milliseconds since(SteadyClock::time_point start) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(SteadyClock::now() - start);
}

core::Error invalid(std::string what) {
  return core::Error(core::ErrorCode::kInvalidArgument, std::move(what));
}

/// The latest time that a new snapshot's time has to be later than.
core::Instant floor_of(const SnapshotInfo& parent) {
  return parent.flushed_at + std::chrono::microseconds(1);
}

/// Tells this repository from all others of this machine's writers: the root's URL leaves out which
/// service it is asked of, so the moment of the repository's creation is added.
std::string place_of(const AssetStore& assets) {
  const auto repo = assets.last_seen_repo();
  const SnapshotInfo* first = repo ? repo->info->find(kInitialSnapshotId) : nullptr;
  return core::text(assets.store().location(), '\n',
                    first != nullptr ? first->flushed_at.time_since_epoch().count() : 0);
}

}  // namespace

CommitRun::CommitRun(SessionState& state, CommitOrder order)
    : state_(state), order_(std::move(order)), flush_(state, order_.flush) {}

core::Status CommitRun::check() const {
  if (!state_.branch()) return invalid("commit: the session is read-only");
  if (state_.changes().empty() && !order_.options.allow_empty) {
    return invalid("commit: the session has no changes");
  }
  for (const auto& [name, value] : order_.metadata) {
    if (name == kReservedKey) return invalid("commit: the metadata key __icechunk is reserved");
  }
  return {};
}

/// Before a single object is written: manifests of a commit that nobody could read are waste.
core::Status CommitRun::count_chunks() {
  for (const auto& [node, chunks] : state_.changes().chunks) result_.references += chunks.size();
  if (result_.references <= order_.most_chunks) return {};
  return core::Error(
      core::ErrorCode::kUnsupported,
      core::text("a commit of ", result_.references, " chunks: readers take at most ",
                 order_.most_chunks, "; commit in parts"));
}

core::Status CommitRun::check_amendable() {
  if (state_.base().id == kInitialSnapshotId) return invalid("amend: the initial snapshot");
  TRY_ASSIGN(amended_, state_.context().assets->transaction_log(state_.base().id));
  if (!amended_->moves.empty() && state_.changes().moves.empty()) {
    return invalid("amend: edits cannot be joined to a commit that moved nodes");
  }
  return {};
}

core::Status CommitRun::flush_manifests(Flush::Crowding crowding) {
  const auto start = SteadyClock::now();
  TRY(flush_.run(crowding));
  result_.flush += since(start);
  return {};
}

core::Status CommitRun::count_lost_race() {
  if (++result_.rebase_attempts <= order_.options.max_rebases) return {};
  return core::Error(core::ErrorCode::kConflict,
                     core::text("commit: lost the race for the branch ", *state_.branch(), " ",
                                result_.rebase_attempts, " times"));
}

/// Brings the session to the branch's tip.
core::Status CommitRun::follow_branch(const RepoInfo& repo) {
  TRY_ASSIGN(const auto tip, repo.branch_tip(*state_.branch()));
  const SnapshotId base = state_.base().id;
  if (tip == base) return {};
  if (order_.mode == CommitMode::kAmend) {
    return core::Error(core::ErrorCode::kConflict,
                       core::text("amend: the branch has moved (expected ", base.text(), ", is ",
                                  tip.text(), ")"));
  }
  if (result_.rebase_attempts == 0) TRY(count_lost_race());
  return rebase_onto(state_, repo, tip, order_.options.conflicts);
}

Metadata CommitRun::stamped_metadata() const {
  Metadata metadata = order_.metadata;
  core::Json stamp;
  stamp.set("flush_ms", std::int64_t{result_.flush.count()});
  stamp.set("wait_ms", std::int64_t{result_.wait.count()});
  const bool taken = std::ranges::any_of(
      metadata, [](const core::Json::Member& member) { return member.first == kOurKey; });
  if (!taken) metadata.emplace_back(kOurKey, std::move(stamp));
  core::Json reserved;
  reserved.set("rebase_attempts", result_.rebase_attempts);
  metadata.emplace_back(kReservedKey, std::move(reserved));
  return metadata;
}

core::Result<Snapshot> CommitRun::build_snapshot(const SnapshotInfo& parent) {
  TRY_ASSIGN(Snapshot snapshot, assemble_tree(state_, flush_));
  snapshot.id = SnapshotId::random();
  snapshot.flushed_at = std::max(state_.context().assets->clock().now(), floor_of(parent));
  snapshot.message = std::string(order_.message);
  snapshot.metadata = stamped_metadata();
  return snapshot;
}

/// Snapshot, log and the backup of repo at the same time. False: repo is no longer `repo`.
core::Result<bool> CommitRun::write_files(const Snapshot& snapshot, const RepoState& repo,
                                          const std::string& backup) {
  AssetStore& assets = *state_.context().assets;
  TRY_ASSIGN(auto log, assemble_log(state_, snapshot.id));
  if (amended_) log = merge(*amended_, log);
  TRY_ASSIGN(const auto log_bytes, encode_transaction_log(log));
  TRY_ASSIGN(const auto snapshot_bytes, encode_snapshot(snapshot));
  bool raced = false;
  constexpr std::array kParts = {0, 1, 2};
  const auto written = core::parallel_map(
      std::span<const int>(kParts), kParts.size(), [&](int part) -> core::Result<std::uint64_t> {
        if (part == 0) return assets.put_new(snapshot_key(snapshot.id), snapshot_bytes);
        if (part == 1) return assets.put_new(transaction_log_key(snapshot.id), log_bytes);
        auto copied = assets.back_up(repo, backup);
        if (copied) return std::uint64_t{0};
        raced = copied.error().code() == core::ErrorCode::kConflict;
        if (raced) return std::uint64_t{0};
        return std::move(copied).error();
      });
  for (const auto& part : written) {
    if (!part) return part.error();
    result_.bytes_written += *part;
  }
  return !raced;
}

core::Result<bool> CommitRun::attempt(const RepoState& repo) {
  AssetStore& assets = *state_.context().assets;
  const SnapshotInfo* parent = repo.info->find(state_.base().id);
  if (order_.mode == CommitMode::kAmend && parent != nullptr && parent->parent) {
    parent = repo.info->find(*parent->parent);
  }
  if (parent == nullptr) {
    return core::Error(core::ErrorCode::kConflict, "commit: the base snapshot is gone");
  }
  TRY_ASSIGN(Snapshot snapshot, build_snapshot(*parent));
  const std::string backup = new_backup_name(snapshot.flushed_at);
  for (int left = kClockCorrections;; --left) {
    TRY_ASSIGN(const bool unchanged, write_files(snapshot, repo, backup));
    if (!unchanged) return false;
    // by now the store has said what time it is
    const auto now = assets.clock().now();
    const bool ahead = snapshot.flushed_at > std::max(now, floor_of(*parent));
    const bool behind = now - snapshot.flushed_at > kMostClockError;
    if (!ahead && !behind) break;
    if (left == 0) {
      return core::Error(core::ErrorCode::kUnavailable,
                         "commit: the store's clock and ours do not agree for long enough");
    }
    // a store that repeats an old time under load makes the estimate swing: further back each time
    const auto correction = static_cast<std::size_t>(kClockCorrections - left);
    snapshot.id = SnapshotId::random();
    snapshot.flushed_at = std::max(now - kStepsBack[correction], floor_of(*parent));
  }
  TRY_ASSIGN(auto info, info_of(snapshot, parent->id));
  auto after = std::make_shared<RepoInfo>(*repo.info);
  const UpdateStamp stamp{.now = assets.clock().now(), .backup = backup};
  if (order_.mode == CommitMode::kAmend) {
    TRY(amend_commit(*after, *state_.branch(), state_.base().id, std::move(info), stamp));
  } else {
    TRY(add_commit(*after, *state_.branch(), std::move(info), stamp));
  }
  TRY_ASSIGN(const bool published, assets.replace_repo(repo, std::move(after), backup));
  if (!published) return false;
  result_.snapshot = snapshot.id;
  result_.parent = parent->id;
  auto shared = std::make_shared<const Snapshot>(std::move(snapshot));
  assets.remember(shared, state_.base());
  state_.finish(std::move(shared));
  return true;
}

core::Result<CommitResult> CommitRun::run() {
  TRY(check());
  AssetStore& assets = *state_.context().assets;
  if (order_.mode == CommitMode::kAmend) TRY(check_amendable());
  TRY(count_chunks());
  TRY(flush_manifests(Flush::Crowding::kLeave));
  const auto queued = SteadyClock::now();
  Turn turn;
  if (order_.options.queue) {
    turn = Turn::take(place_of(assets), *state_.branch());
    result_.wait += since(queued);
  }
  TRY_ASSIGN(auto repo, assets.repo());
  Backoff backoff(state_.context().config.update_retries());
  while (true) {
    TRY(require_online(*repo.info));
    if (!state_.changes().moves.empty()) TRY(require_feature(*repo.info, Feature::kMoveNode));
    TRY(follow_branch(*repo.info));
    TRY(flush_manifests(Flush::Crowding::kMerge));
    TRY_ASSIGN(const bool published, attempt(repo));
    if (published) break;
    TRY(count_lost_race());
    if (!turn.in_line()) {
      const auto start = SteadyClock::now();
      backoff.wait();
      result_.wait += since(start);
    }
    TRY_ASSIGN(repo, assets.repo());
  }
  const auto statistics = flush_.statistics();
  result_.manifests_written = statistics.manifests;
  result_.manifest_bytes = statistics.bytes;
  result_.bytes_written += statistics.bytes;
  return result_;
}

}  // namespace icefield::icechunk
