#include "icechunk/maintenance/statistics.h"

#include <algorithm>
#include <map>
#include <utility>

#include "icechunk/assets/asset_store.h"
#include "icechunk/assets/keys.h"
#include "icechunk/format/splitting.h"

namespace icefield::icechunk {
namespace {

ArrayManifests statistics_of(const Snapshot& snapshot, const Node& node, const Windows& windows) {
  ArrayManifests result{.path = node.path};
  std::map<std::uint64_t, std::uint64_t> bytes_of_window;
  for (const ManifestRef& ref : node.array->manifests) {
    const ManifestFile* file = snapshot.find_manifest(ref.id);
    if (file == nullptr) continue;
    ++result.manifests;
    result.bytes += file->size_bytes;
    result.references += std::min<std::uint64_t>(file->num_chunk_refs, ref.extents.volume());
    ChunkIndex first;
    for (const ChunkRange& range : ref.extents.ranges()) first.push_back(range.from);
    const bool inside =
        windows.count() > 0 && std::ranges::equal(first, windows.num_chunks, std::ranges::less());
    bytes_of_window[inside || first.empty() ? windows.number_of(first) : 0] += file->size_bytes;
  }
  result.windows = bytes_of_window.size();
  for (const auto& [window, bytes] : bytes_of_window) {
    result.largest_window_bytes = std::max(result.largest_window_bytes, bytes);
  }
  if (!windows.sizes.empty()) result.split_size = std::min(windows.sizes[0], windows.num_chunks[0]);
  return result;
}

}  // namespace

std::uint32_t ArrayManifests::split_for(std::uint64_t budget) const {
  if (largest_window_bytes <= budget || largest_window_bytes == 0) return split_size;
  const std::uint64_t smaller = std::uint64_t{split_size} * budget / largest_window_bytes;
  return static_cast<std::uint32_t>(std::max<std::uint64_t>(smaller, 1));
}

core::Result<std::vector<ArrayManifests>> manifest_statistics(const Repository& repository,
                                                              const SnapshotId& at) {
  TRY_ASSIGN(const auto config, repository.config());
  TRY_ASSIGN(const auto snapshot, repository.assets()->snapshot(at));
  const Splitter splitter(config.splitting());
  std::vector<ArrayManifests> all;
  for (const Node& node : snapshot->nodes) {
    if (!node.array) continue;
    all.push_back(statistics_of(*snapshot, node, splitter.windows(node.path, *node.array)));
  }
  return all;
}

core::Result<std::vector<ObjectKind>> object_statistics(const Repository& repository) {
  std::vector<ObjectKind> kinds;
  for (const auto folder : {kSnapshotFolder, kManifestFolder, kTransactionFolder, kChunkFolder,
                            kBackupFolder, kRepoKey}) {
    ObjectKind kind{.name = std::string(folder.substr(0, folder.find('/')))};
    TRY(repository.assets()->store().list({.prefix = std::string(folder)},
                                          [&kind](const object_store::ListPage& page) {
                                            for (const auto& object : page.objects) {
                                              ++kind.objects;
                                              kind.bytes += object.size;
                                            }
                                            return true;
                                          }));
    kinds.push_back(std::move(kind));
  }
  return kinds;
}

}  // namespace icefield::icechunk
