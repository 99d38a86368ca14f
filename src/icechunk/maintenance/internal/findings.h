#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/bytes.h"
#include "core/result.h"
#include "icechunk/assets/asset_store.h"
#include "icechunk/commit/repository.h"
#include "icechunk/format/file_inspection.h"
#include "icechunk/maintenance/verify.h"
#include "object_store/object_store.h"

namespace icefield::icechunk {

/// Sizes of the objects of a folder, by key.
using ObjectSizes = std::unordered_map<std::string, std::uint64_t>;

/// A file that was looked at: its value, or nullptr when it cannot be decoded.
template <typename Value>
struct LookedAt {
  std::shared_ptr<const Value> value = {};
  SpecVersion version = SpecVersion::kV2;  // by its header
};

/// What the parts of verify share. One thread.
class Inspection {
 public:
  Inspection(const Repository& inspected, const RepoState& at)
      : repository(inspected), assets(*inspected.assets()), state(at) {}

  const Repository& repository;
  AssetStore& assets;
  const RepoState& state;
  std::vector<VirtualContainer> containers = {};
  ObjectSizes sizes = {};  // of snapshots, manifests, logs, chunks and backups
  bool migrated = false;
  VerifyReport report = {};
  std::unordered_map<ManifestId, bool> manifests = {};  // looked at already; true: can be read
  std::unordered_map<SnapshotId, bool> logs = {};       // likewise
  /// Arrays whose references were compared with a box and a shape already.
  std::unordered_set<std::string> compared = {};

  void damage(std::string object, std::string what) {
    report.findings.push_back({Severity::kDamage, std::move(object), std::move(what)});
  }
  void unusual(std::string object, std::string what) {
    report.findings.push_back({Severity::kUnusual, std::move(object), std::move(what)});
  }
  bool exists(const object_store::Key& key) const { return sizes.contains(key.value()); }

  /// The whole object; nothing, with a finding, when it is absent or cut off.
  /// Errors: only those of a store that fails.
  core::Result<std::optional<core::Bytes>> bytes_of(const object_store::Key& key);

  /// Adds what is wrong with a file that can be decoded; gives the version of its header.
  SpecVersion tell_deviations(const std::string& object, std::span<const std::byte> file,
                              FileType type);

  /// Reads a file for the first time. What is wrong with it becomes findings; its value goes to
  /// the cache, from where the assets give it again.
  template <typename Value, typename OwnId>
  core::Result<LookedAt<Value>> look_at(const object_store::Key& key, FileType type,
                                        const OwnId& id,
                                        core::Result<Value> (*decode)(std::span<const std::byte>,
                                                                      std::optional<OwnId>)) {
    LookedAt<Value> result;
    TRY_ASSIGN(const auto bytes, bytes_of(key));
    if (!bytes) return result;
    auto decoded = decode(*bytes, id);
    if (!decoded) {
      damage(key.value(), decoded.error().message());
      return result;
    }
    result.version = tell_deviations(key.value(), *bytes, type);
    result.value = std::make_shared<const Value>(*std::move(decoded));
    constexpr std::size_t kUnfolded = 8;  // about, a decoded file against its compressed bytes
    assets.cache().put(type, id, result.value, kUnfolded * bytes->size());
    return result;
  }

  /// A manifest, looked at when it is met for the first time; nullptr when it cannot be read.
  core::Result<std::shared_ptr<const Manifest>> manifest(const ManifestId& id);

  /// A transaction log, likewise.
  core::Result<std::shared_ptr<const TransactionLog>> log(const SnapshotId& id);
};

// Parts of verify, one file each.
core::Status inspect_repo(Inspection& inspection);
core::Status inspect_operations(Inspection& inspection);
core::Status inspect_snapshot(Inspection& inspection, const SnapshotInfo& info);
core::Status inspect_log(Inspection& inspection, const SnapshotInfo& info);

/// Every reference of a manifest that is met for the first time.
void inspect_references(Inspection& inspection, const ManifestId& id, const Manifest& manifest);

/// Rules of a log that need no snapshot.
void inspect_moves(Inspection& inspection, const TransactionLog& log);

}  // namespace icefield::icechunk
