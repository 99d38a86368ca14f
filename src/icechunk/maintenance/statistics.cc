#include "icechunk/maintenance/statistics.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "icechunk/assets/asset_store.h"
#include "icechunk/assets/keys.h"
#include "icechunk/format/splitting.h"

namespace icefield::icechunk {
namespace {

/// Manifests of one window so far.
struct Window {
  std::uint64_t bytes = 0;
  std::uint32_t from = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t to = 0;  // rows spanned: [from, to)
};

ArrayManifests statistics_of(const Snapshot& snapshot, const Node& node, const Windows& windows) {
  ArrayManifests result{.path = node.path};
  std::map<std::uint64_t, Window> by_number;
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
    Window& window = by_number[inside || first.empty() ? windows.number_of(first) : 0];
    window.bytes += file->size_bytes;
    if (first.empty()) continue;
    window.from = std::min(window.from, ref.extents[0].from);
    window.to = std::max(window.to, ref.extents[0].to);
  }
  for (const auto& [number, window] : by_number) {
    result.windows.push_back(
        {.bytes = window.bytes, .rows = window.to > window.from ? window.to - window.from : 1});
  }
  if (!windows.sizes.empty()) result.split_size = std::min(windows.sizes[0], windows.num_chunks[0]);
  return result;
}

}  // namespace

std::uint64_t ArrayManifests::largest_window_bytes() const {
  std::uint64_t largest = 0;
  for (const WindowLoad& window : windows) largest = std::max(largest, window.bytes);
  return largest;
}

std::size_t ArrayManifests::windows_over(std::uint64_t budget) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      windows, [budget](const WindowLoad& window) { return window.bytes > budget; }));
}

std::uint64_t ArrayManifests::split_for(std::uint64_t budget) const {
  double bytes_per_row = 0;
  for (const WindowLoad& window : windows) {
    bytes_per_row = std::max(bytes_per_row,
                             static_cast<double>(window.bytes) / static_cast<double>(window.rows));
  }
  if (bytes_per_row == 0 || split_size == 0) return 0;
  constexpr double kMost = std::numeric_limits<std::uint32_t>::max();  // what the format can say
  return static_cast<std::uint64_t>(
      std::clamp(static_cast<double>(budget) / bytes_per_row, 1.0, kMost));
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
