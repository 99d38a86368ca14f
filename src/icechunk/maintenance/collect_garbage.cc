#include "icechunk/maintenance/collect_garbage.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/text.h"
#include "icechunk/assets/asset_store.h"
#include "icechunk/assets/keys.h"
#include "icechunk/commit/update_repo.h"
#include "icechunk/format/repo_update.h"
#include "icechunk/maintenance/changeable.h"
#include "icechunk/maintenance/internal/marks.h"

namespace icefield::icechunk {
namespace {

constexpr int kMostStarts = 5;
constexpr std::size_t kDeletedAtOnce = 500;

/// True when the store surely wrote the object before the cutoff; a whole second may stand for any
/// moment within it.
bool is_older(const object_store::ObjectInfo& object, core::Instant cutoff) {
  const bool whole = object.last_modified.time_since_epoch() % std::chrono::seconds(1) ==
                     std::chrono::microseconds(0);
  return object.last_modified + std::chrono::seconds(whole ? 1 : 0) < cutoff;
}

/// Ids of a folder whose objects are older than the cutoff.
template <typename Id>
core::Result<std::unordered_map<Id, std::uint64_t>> old_objects(
    const object_store::ObjectStore& store, std::string_view folder, core::Instant cutoff) {
  std::unordered_map<Id, std::uint64_t> found;  // size of each
  TRY(store.list({.prefix = std::string(folder)}, [&](const object_store::ListPage& page) {
    for (const auto& object : page.objects) {
      const auto id = Id::parse(std::string_view(object.key.value()).substr(folder.size()));
      if (id && is_older(object, cutoff)) found.emplace(*id, object.size);
    }
    return true;
  }));
  return found;
}

class Collection {
 public:
  Collection(const Repository& repository, const GarbageOptions& options)
      : repository_(repository), assets_(*repository.assets()), options_(options) {}

  core::Result<GarbageResult> run() {
    TRY(find_candidates());
    TRY(unregister());
    options_.between("unregistered");
    if (options_.dry_run) {
      count_all();
      return result_;
    }
    TRY(mark_again());
    options_.between("checked again");
    TRY(sweep(kSnapshotFolder, snapshots_, marks_.snapshots, result_.snapshots));
    options_.between("deleted snapshots");
    TRY(sweep(kTransactionFolder, logs_, marks_.logs, result_.transaction_logs));
    options_.between("deleted logs");
    TRY(sweep(kManifestFolder, manifests_, marks_.manifests, result_.manifests));
    options_.between("deleted manifests");
    TRY(sweep(kChunkFolder, chunks_, marks_.chunks, result_.chunks));
    TRY_ASSIGN(result_.leftovers, assets_.store().remove_leftovers(options_.older_than));
    return result_;
  }

 private:
  core::Status find_candidates() {
    const auto& store = assets_.store();
    const auto cutoff = options_.older_than;
    TRY_ASSIGN(snapshots_, old_objects<SnapshotId>(store, kSnapshotFolder, cutoff));
    TRY_ASSIGN(logs_, old_objects<SnapshotId>(store, kTransactionFolder, cutoff));
    TRY_ASSIGN(manifests_, old_objects<ManifestId>(store, kManifestFolder, cutoff));
    TRY_ASSIGN(chunks_, old_objects<ChunkId>(store, kChunkFolder, cutoff));
    return {};
  }

  MarkChunks with_chunks() const { return chunks_.empty() ? MarkChunks::kNo : MarkChunks::kYes; }

  /// Marks what refs lead to and what is young; the other registered snapshots are to go.
  core::Result<std::set<SnapshotId>> mark_kept(const RepoInfo& repo) {
    TRY_ASSIGN(const auto led_to, reachable(repo));
    std::set<SnapshotId> dropped;
    for (const SnapshotInfo& snapshot : repo.snapshots) {
      const bool stays = led_to.contains(snapshot.id) || !snapshots_.contains(snapshot.id) ||
                         snapshot.id == kInitialSnapshotId;
      if (stays) {
        TRY(mark(assets_, snapshot, with_chunks(), marks_));
      } else {
        dropped.insert(snapshot.id);
      }
    }
    return dropped;
  }

  /// Takes unneeded snapshots out of the repo object; starts over when refs move onto them.
  core::Status unregister() {
    for (int left = kMostStarts; left > 0; --left) {
      TRY_ASSIGN(const auto info, repository_.info());
      TRY(require_online(*info));
      marks_ = {};
      TRY_ASSIGN(const auto dropped, mark_kept(*info));
      options_.between("marked");
      result_.snapshots_dropped = dropped.size();
      if (dropped.empty() || options_.dry_run) return {};
      auto done = update_repo(assets_, [&](RepoInfo& repo, const UpdateStamp& stamp) {
        return drop(repo, dropped, stamp);
      });
      if (done || done.error().code() != core::ErrorCode::kConflict) return done;
    }
    return core::Error(core::ErrorCode::kConflict,
                       "collect garbage: refs keep moving onto snapshots that nothing held");
  }

  /// Errors: kConflict when something that stays has come to depend on what is to go.
  static core::Status drop(RepoInfo& repo, const std::set<SnapshotId>& dropped,
                           const UpdateStamp& stamp) {
    TRY_ASSIGN(const auto led_to, reachable(repo));
    const bool needed = std::ranges::any_of(
        dropped, [&led_to](const SnapshotId& id) { return led_to.contains(id); });
    if (needed) return core::Error(core::ErrorCode::kConflict, "a ref moved meanwhile");
    for (SnapshotInfo& snapshot : repo.snapshots) {
      if (!dropped.contains(snapshot.id)) reparent(repo, snapshot, dropped);
    }
    std::erase_if(repo.snapshots, [&dropped](const SnapshotInfo& snapshot) {
      return dropped.contains(snapshot.id);
    });
    record_update(repo, update::GcRan{}, stamp);
    return {};
  }

  /// A snapshot that stays goes on at its nearest ancestor that stays, and remembers the logs of
  /// those between.
  static void reparent(const RepoInfo& repo, SnapshotInfo& snapshot,
                       const std::set<SnapshotId>& dropped) {
    std::vector<const SnapshotInfo*> between;  // newest first
    while (snapshot.parent && dropped.contains(*snapshot.parent) &&
           between.size() < dropped.size()) {
      const SnapshotInfo* gone = repo.find(*snapshot.parent);
      between.push_back(gone);
      snapshot.parent = gone->parent ? gone->parent : kInitialSnapshotId;
    }
    std::vector<SnapshotId> logs;
    for (auto gone = between.rbegin(); gone != between.rend(); ++gone) {
      const auto& pruned = (*gone)->pruned_ancestor_tx_logs;
      logs.insert(logs.end(), pruned.begin(), pruned.end());
      logs.push_back((*gone)->id);
    }
    auto& pruned = snapshot.pruned_ancestor_tx_logs;
    pruned.insert(pruned.begin(), logs.begin(), logs.end());
  }

  /// What was registered since counts as needed, with all that it refers to.
  core::Status mark_again() {
    TRY_ASSIGN(const auto info, repository_.info());
    for (const SnapshotInfo& snapshot : info->snapshots) {
      marks_.logs.insert(snapshot.pruned_ancestor_tx_logs.begin(),
                         snapshot.pruned_ancestor_tx_logs.end());
      TRY(mark(assets_, snapshot, with_chunks(), marks_));
    }
    return {};
  }

  template <typename Id>
  core::Status sweep(std::string_view folder, const std::unordered_map<Id, std::uint64_t>& old,
                     const std::unordered_set<Id>& kept, Deleted& deleted) {
    std::vector<object_store::Key> keys;
    for (const auto& [id, size] : old) {
      if (kept.contains(id)) continue;
      keys.push_back(key_below(folder, id.text()));
      deleted.objects += 1;
      deleted.bytes += size;
    }
    for (std::size_t at = 0; at < keys.size(); at += kDeletedAtOnce) {
      const auto batch = std::span(keys).subspan(at, std::min(kDeletedAtOnce, keys.size() - at));
      for (auto& status : assets_.store().remove(batch)) TRY(std::move(status));
    }
    return {};
  }

  void count_all() {
    const auto count = [](const auto& old, const auto& kept, Deleted& deleted) {
      for (const auto& [id, size] : old) {
        if (kept.contains(id)) continue;
        deleted.objects += 1;
        deleted.bytes += size;
      }
    };
    count(snapshots_, marks_.snapshots, result_.snapshots);
    count(logs_, marks_.logs, result_.transaction_logs);
    count(manifests_, marks_.manifests, result_.manifests);
    count(chunks_, marks_.chunks, result_.chunks);
  }

  const Repository& repository_;
  AssetStore& assets_;
  const GarbageOptions& options_;
  GarbageResult result_;
  Marks marks_;
  std::unordered_map<SnapshotId, std::uint64_t> snapshots_;  // old ones, with their sizes
  std::unordered_map<SnapshotId, std::uint64_t> logs_;
  std::unordered_map<ManifestId, std::uint64_t> manifests_;
  std::unordered_map<ChunkId, std::uint64_t> chunks_;
};

}  // namespace

core::Result<GarbageResult> collect_garbage(const Repository& repository,
                                            const GarbageOptions& options) {
  if (options.older_than > repository.assets()->clock().now()) {
    return core::Error(core::ErrorCode::kInvalidArgument,
                       "collect garbage: the cutoff lies in the future: writers would lose what "
                       "they have not committed yet");
  }
  TRY(require_changeable(repository));
  return Collection(repository, options).run();
}

}  // namespace icefield::icechunk
