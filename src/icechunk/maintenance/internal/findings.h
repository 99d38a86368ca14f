#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "core/result.h"
#include "icechunk/assets/asset_store.h"
#include "icechunk/commit/repository.h"
#include "icechunk/maintenance/verify.h"
#include "object_store/object_store.h"

namespace icefield::icechunk {

/// Sizes of the objects of a folder, by key.
using ObjectSizes = std::unordered_map<std::string, std::uint64_t>;

/// What the parts of verify share.
struct Inspection {
  const Repository& repository;
  AssetStore& assets;
  const RepoState& state;
  ObjectSizes sizes;  // of snapshots, manifests, logs, chunks and backups
  bool migrated = false;
  VerifyReport report;
  std::unordered_map<ManifestId, bool> manifests;  // looked at already; true: it can be read

  void damage(std::string object, std::string what) {
    report.findings.push_back({Severity::kDamage, std::move(object), std::move(what)});
  }
  void unusual(std::string object, std::string what) {
    report.findings.push_back({Severity::kUnusual, std::move(object), std::move(what)});
  }
  /// A manifest that was looked at and can be read, from the cache if it is still there.
  core::Result<std::shared_ptr<const Manifest>> manifest(const ManifestId& id) {
    return assets.manifest({.id = id});  // whatever its size: a wrong one is told elsewhere
  }
  bool exists(const object_store::Key& key) const { return sizes.contains(key.value()); }

  /// A value, or a finding about the object it should come from. An error only when the store
  /// fails: what is absent or damaged is a finding.
  template <typename T>
  core::Result<std::shared_ptr<const T>> found(const object_store::Key& key,
                                               core::Result<std::shared_ptr<const T>> read) {
    if (read) return read;
    const auto code = read.error().code();
    if (code != core::ErrorCode::kNotFound && code != core::ErrorCode::kCorrupt &&
        code != core::ErrorCode::kUnsupported) {
      return read;
    }
    damage(key.value(), code == core::ErrorCode::kNotFound ? "is needed but does not exist"
                                                           : read.error().message());
    return std::shared_ptr<const T>();
  }
};

// Parts of verify, one file each.
core::Status inspect_repo(Inspection& inspection);
core::Status inspect_snapshot(Inspection& inspection, const SnapshotInfo& info);
core::Status inspect_log(Inspection& inspection, const SnapshotInfo& info);

}  // namespace icefield::icechunk
