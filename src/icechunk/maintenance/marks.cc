#include "icechunk/maintenance/internal/marks.h"

#include "icechunk/assets/asset_store.h"

namespace icefield::icechunk {
namespace {

core::Status mark_chunks(AssetStore& assets, const ManifestFile& file, Marks& marks) {
  TRY_ASSIGN(const auto manifest, assets.manifest(file));
  std::string scratch;
  for (std::size_t a = 0; a < manifest->array_count(); ++a) {
    const auto array = manifest->array(a);
    for (std::size_t at = 0; at < array.size(); ++at) {
      TRY_ASSIGN(const auto view, array.view(at, scratch));
      if (const auto* native = std::get_if<NativeChunk>(&view)) marks.chunks.insert(native->id);
    }
  }
  return {};
}

}  // namespace

core::Status mark(AssetStore& assets, const SnapshotInfo& snapshot, MarkChunks chunks,
                  Marks& marks) {
  if (!marks.snapshots.insert(snapshot.id).second) return {};
  marks.logs.insert(snapshot.id);
  marks.logs.insert(snapshot.pruned_ancestor_tx_logs.begin(),
                    snapshot.pruned_ancestor_tx_logs.end());
  TRY_ASSIGN(const auto content, assets.snapshot(snapshot.id));
  for (const ManifestFile& file : content->manifest_files) {
    const bool is_new = marks.manifests.insert(file.id).second;
    if (is_new && chunks == MarkChunks::kYes) TRY(mark_chunks(assets, file, marks));
  }
  return {};
}

core::Result<std::unordered_set<SnapshotId>> reachable(const RepoInfo& repo) {
  std::unordered_set<SnapshotId> found;
  for (const auto* refs : {&repo.branches, &repo.tags}) {
    for (const auto& [name, target] : *refs) {
      TRY_ASSIGN(const auto ancestry, repo.ancestry(target));
      for (const SnapshotInfo* snapshot : ancestry) found.insert(snapshot->id);
    }
  }
  return found;
}

}  // namespace icefield::icechunk
