#pragma once

#include <string>
#include <string_view>

#include "icechunk/format/ids.h"
#include "object_store/object_store.h"

// Names of the objects of a repository, below its root (docs/formats/icechunk.md, Objects).

namespace icefield::icechunk {

inline constexpr std::string_view kRepoKey = "repo";
inline constexpr std::string_view kSnapshotFolder = "snapshots/";
inline constexpr std::string_view kManifestFolder = "manifests/";
inline constexpr std::string_view kTransactionFolder = "transactions/";
inline constexpr std::string_view kChunkFolder = "chunks/";
inline constexpr std::string_view kBackupFolder = "overwritten/";

inline object_store::Key key_below(std::string_view folder, std::string_view name) {
  return object_store::Key(std::string(folder) + std::string(name));
}

inline object_store::Key repo_key() {
  return object_store::Key(std::string(kRepoKey));
}
inline object_store::Key snapshot_key(const SnapshotId& id) {
  return key_below(kSnapshotFolder, id.text());
}
inline object_store::Key manifest_key(const ManifestId& id) {
  return key_below(kManifestFolder, id.text());
}
inline object_store::Key transaction_log_key(const SnapshotId& id) {
  return key_below(kTransactionFolder, id.text());
}
inline object_store::Key chunk_key(const ChunkId& id) {
  return key_below(kChunkFolder, id.text());
}
inline object_store::Key backup_key(std::string_view name) {
  return key_below(kBackupFolder, name);
}

}  // namespace icefield::icechunk
