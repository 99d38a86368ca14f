#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_set>

#include "core/text.h"
#include "icechunk/assets/keys.h"
#include "icechunk/format/virtual_container.h"
#include "icechunk/maintenance/internal/findings.h"

namespace icefield::icechunk {
namespace {

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

/// False when the ancestors of a snapshot run in a ring that was not met before. `followed` are
/// those whose ancestry has been looked at, so that all together take one pass.
bool ends(const RepoInfo& repo, const SnapshotInfo& from,
          std::unordered_set<SnapshotId>& followed) {
  std::unordered_set<SnapshotId> way;
  bool ring = false;
  for (const SnapshotInfo* at = &from; at != nullptr && !followed.contains(at->id);) {
    ring = !way.insert(at->id).second;
    if (ring) break;
    at = at->parent ? repo.find(*at->parent) : nullptr;
  }
  followed.merge(way);
  return !ring;
}

/// Times, parents and cut-out logs of the listed snapshots.
void inspect_graph(Inspection& inspection) {
  const RepoInfo& repo = *inspection.state.info;
  const std::string object(kRepoKey);
  std::unordered_set<SnapshotId> followed;
  for (const SnapshotInfo& snapshot : repo.snapshots) {
    if (!ends(repo, snapshot, followed)) {
      inspection.damage(object, "the ancestry of snapshot " + snapshot.id.text() + " is a ring");
      continue;
    }
    const SnapshotInfo* parent = snapshot.parent ? repo.find(*snapshot.parent) : nullptr;
    if (parent != nullptr && parent->flushed_at >= snapshot.flushed_at) {
      inspection.damage(
          object, core::text("snapshot ", snapshot.id.text(), " is not newer than its parent"));
    }
    for (const SnapshotId& log : snapshot.pruned_ancestor_tx_logs) {
      if (!inspection.exists(transaction_log_key(log))) {
        inspection.damage(transaction_log_key(log).value(),
                          "the log of an ancestor of " + snapshot.id.text() +
                              " does not exist: diffs and rebases lack what it changed");
      }
    }
  }
}

/// Containers that official readers pass over, or stop at.
void inspect_containers(Inspection& inspection) {
  const auto& config = inspection.state.info->config;
  const core::Json* entries = config ? config->json().find("virtual_chunk_containers") : nullptr;
  if (entries == nullptr || !entries->is_object()) return;
  const std::string object(kRepoKey);
  for (const auto& [key, entry] : entries->as_object()) {
    const auto container = container_from_json(entry);
    if (!container) {
      inspection.damage(object, key + ": " + container.error().message());
    } else if (const auto usable = check_container(*container); !usable) {
      inspection.unusual(object, usable.error().message());
    }
  }
}

/// Spec version 1 has its refs in folders of their own, with nothing beside them.
core::Status inspect_legacy_refs(Inspection& inspection) {
  constexpr std::string_view kRefs = "refs/";
  return inspection.assets.store().list(
      {.prefix = std::string(kRefs)}, [&](const object_store::ListPage& page) {
        for (const auto& object : page.objects) {
          const std::string& key = object.key.value();
          const std::string folder =
              key.substr(kRefs.size(), key.find('/', kRefs.size()) - kRefs.size());
          const auto dot = folder.find('.');
          const std::string kind = folder.substr(0, dot);
          const bool named = dot != std::string::npos && dot + 1 < folder.size();
          if (named && (kind == "branch" || kind == "tag")) continue;
          inspection.damage(key, "is neither a branch nor a tag");
        }
        return true;
      });
}

}  // namespace

core::Status inspect_repo(Inspection& inspection) {
  inspect_graph(inspection);
  if (inspection.state.legacy) return inspect_legacy_refs(inspection);
  TRY_ASSIGN(const auto bytes, inspection.bytes_of(repo_key()));
  if (bytes) inspection.tell_deviations(std::string(kRepoKey), *bytes, FileType::kRepo);
  inspect_refs(inspection);
  inspect_containers(inspection);
  return inspect_operations(inspection);
}

}  // namespace icefield::icechunk
