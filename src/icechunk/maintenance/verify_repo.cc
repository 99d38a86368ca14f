#include <algorithm>
#include <chrono>
#include <optional>
#include <set>
#include <string>

#include "core/text.h"
#include "icechunk/assets/keys.h"
#include "icechunk/format/repo_info_codec.h"
#include "icechunk/maintenance/internal/findings.h"

namespace icefield::icechunk {
namespace {

bool is_migration(const Update& update) {
  return std::holds_alternative<update::RepoMigrated>(update.kind);
}

void inspect_refs(Inspection& inspection) {
  const RepoInfo& repo = *inspection.state.info;
  const std::string object(kRepoKey);
  const SnapshotInfo* initial = repo.find(kInitialSnapshotId);
  if (initial == nullptr) {
    inspection.damage(object, "the initial snapshot is not listed");
  } else if (initial->parent) {
    inspection.damage(object, "the initial snapshot has a parent");
  }
  for (const auto& [name, target] : repo.tags) {
    if (repo.deleted_tags.contains(name)) {
      inspection.damage(object, "tag " + name + " is both there and deleted");
    }
  }
  if (repo.status.availability == Availability::kOffline) {
    inspection.damage(object, "availability is neither online nor read only");
  }
  if (const auto metadata = decode_metadata(repo.metadata); !metadata) {
    inspection.damage(object, "metadata: " + metadata.error().message());
  }
}

/// Times, parents and cut-out logs of the listed snapshots.
void inspect_graph(Inspection& inspection) {
  const RepoInfo& repo = *inspection.state.info;
  const std::string object(kRepoKey);
  for (const SnapshotInfo& snapshot : repo.snapshots) {
    const auto ancestry = repo.ancestry(snapshot.id);
    if (!ancestry) {
      inspection.damage(object, ancestry.error().message());
      continue;
    }
    const SnapshotInfo* parent = snapshot.parent ? repo.find(*snapshot.parent) : nullptr;
    if (parent != nullptr && parent->flushed_at >= snapshot.flushed_at) {
      inspection.damage(
          object, core::text("snapshot ", snapshot.id.text(), " is not newer than its parent"));
    }
    for (const SnapshotId& log : snapshot.pruned_ancestor_tx_logs) {
      if (!inspection.exists(transaction_log_key(log))) {
        inspection.unusual(transaction_log_key(log).value(),
                           "the log of an ancestor of " + snapshot.id.text() + " does not exist");
      }
    }
  }
}

void inspect_entries(Inspection& inspection, const std::string& object,
                     const std::vector<Update>& updates, std::optional<core::Instant>& later) {
  for (std::size_t i = 0; i < updates.size(); ++i) {
    const Update& update = updates[i];
    if (i == 0 && update.backup) {
      inspection.damage(object, "the newest operation names a backup: official writers stop at it");
    } else if (i > 0 && !update.backup && !inspection.migrated) {
      inspection.unusual(object, "an operation that is not the newest names no backup");
    } else if (update.backup && !inspection.exists(backup_key(*update.backup))) {
      inspection.unusual(backup_key(*update.backup).value(), "is named as a backup, but is gone");
    }
    if (later && update.at >= *later) {
      const std::string what = "an operation is not older than the one that came after it";
      if (inspection.migrated) {
        inspection.unusual(object, what);
      } else {
        inspection.damage(object, what);
      }
    }
    later = update.at;
  }
}

core::Status inspect_operations(Inspection& inspection) {
  RepoInfo at = *inspection.state.info;
  std::string object(kRepoKey);
  std::optional<core::Instant> later;
  std::set<std::string> seen;
  inspection.migrated = std::ranges::any_of(at.updates, is_migration);
  if (at.updates.front().at > inspection.assets.clock().now() + std::chrono::seconds(1)) {
    inspection.damage(object, "the newest operation lies in the future: nobody can write before");
  }
  bool whole = true;
  while (true) {
    inspect_entries(inspection, object, at.updates, later);
    if (!at.repo_before_updates) break;
    object = backup_key(*at.repo_before_updates).value();
    if (!seen.insert(object).second) {
      inspection.damage(object, "the operations log goes round in a ring");
      return {};
    }
    auto older = inspection.assets.store().get(object_store::Key(object));
    if (!older && older.error().code() == core::ErrorCode::kNotFound) {
      inspection.unusual(object, "the operations log goes on here, but it does not exist");
      whole = false;
      break;
    }
    if (!older) return std::move(older).error();
    auto decoded = decode_repo_info(older->bytes);
    if (!decoded) {
      inspection.damage(object, decoded.error().message());
      return {};
    }
    at = *std::move(decoded);
    inspection.migrated = inspection.migrated || std::ranges::any_of(at.updates, is_migration);
  }
  if (whole && !inspection.migrated &&
      !std::holds_alternative<update::RepoInitialized>(at.updates.back().kind)) {
    inspection.unusual(object, "the operations log does not begin with the creation");
  }
  return {};
}

}  // namespace

core::Status inspect_repo(Inspection& inspection) {
  inspect_graph(inspection);
  if (inspection.state.legacy) return {};
  inspect_refs(inspection);
  return inspect_operations(inspection);
}

}  // namespace icefield::icechunk
