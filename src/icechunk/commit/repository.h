#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/parallel.h"
#include "core/result.h"
#include "core/strong.h"
#include "core/time.h"
#include "icechunk/format/config.h"
#include "icechunk/format/ids.h"
#include "icechunk/format/repo_info.h"
#include "icechunk/session/container_access.h"
#include "icechunk/session/session.h"
#include "object_store/object_store.h"

namespace icefield::icechunk {

class AssetStore;

using BranchName = core::Strong<struct BranchNameTag, std::string>;
using TagName = core::Strong<struct TagNameTag, std::string>;

/// The last snapshot of a branch that was flushed at or before a time.
struct AsOf {
  BranchName branch;
  core::Instant time;
};

/// One version of the repository, however it is named.
using VersionName = std::variant<BranchName, TagName, SnapshotId, AsOf>;

struct RepositoryOptions {
  /// The local clock. Times that are written follow the store's clock where it can be seen.
  core::Clock clock = core::system_now;

  /// Laid over the persisted configuration for this process; never persisted. Its
  /// virtual_chunk_containers replace the persisted list as a whole.
  RepositoryConfig config;

  /// Containers that take the place of persisted ones of the same name, for this process only
  /// (`--source PREFIX=URL`). Others stay as they are persisted.
  std::vector<VirtualContainer> repointed;

  /// What may be fetched of virtual chunks, by the url prefix after re-pointing.
  ContainerAccess access;

  /// Decoded snapshots, manifests and logs that are kept, together. Bytes.
  std::size_t cache_bytes = std::size_t{256} << 20U;

  /// Threads that one call may use, its own included.
  std::size_t workers = core::cores();
};

/// Which virtual chunk containers a repository declares, and what reading them takes.
struct ContainerNeed {
  VirtualContainer container;      // as used: after re-pointing
  bool needs_credentials = false;  // false: anonymous, or a local or plain HTTP place
  bool authorized = false;         // by the options this repository was opened with
};

/// An Icechunk repository (spec 2.1; reads 2.0 and 1) over an object store.
/// A cheap handle: copies share the store, its caches and the options. Calls may be made from any
/// thread; each session is for one thread that changes it.
///
/// Errors of every call: kUnavailable, kPermissionDenied from the store; kCorrupt, naming the
/// object, when it breaks the format; for calls that change the repository also kPermissionDenied
/// when it is read only, and kUnsupported for one of spec version 1.
class Repository {
 public:
  /// Makes a repository with the branch main at the empty initial snapshot. `config` is persisted
  /// with manifest.preload.max_arrays_to_scan = 0 added unless it says otherwise.
  /// What an interrupted create left behind (the two initial objects, nothing else) is taken over.
  /// Errors: kConflict when a repository is there or someone else creates one at this moment;
  ///         kInvalidArgument, naming an object, when anything else lies below the root.
  static core::Result<Repository> create(std::shared_ptr<object_store::ObjectStore> store,
                                         const RepositoryConfig& config,
                                         RepositoryOptions options = {});

  /// Errors: kNotFound when there is no repository: a place without `repo` (or the refs of spec
  /// version 1) is none, whatever else lies there.
  static core::Result<Repository> open(std::shared_ptr<object_store::ObjectStore> store,
                                       RepositoryOptions options = {});

  /// True when open() would find a repository.
  static core::Result<bool> exists(const object_store::ObjectStore& store);

  /// A transaction on the present tip of a branch. Errors: kNotFound: no such branch.
  core::Result<Session> writable_session(std::string_view branch) const;

  /// Errors: kNotFound: no such branch, tag or snapshot, or none as old as that.
  core::Result<Session> readonly_session(const VersionName& version) const;

  /// The snapshot that a name means now. Errors: as readonly_session.
  core::Result<SnapshotId> resolve(const VersionName& version) const;
  core::Result<SnapshotId> tip(std::string_view branch) const;

  /// The present repo object: refs, snapshots with their parents, log, configuration, status.
  /// Asks the store each time, but transfers it only when it has changed.
  core::Result<std::shared_ptr<const RepoInfo>> info() const;

  /// A snapshot and its ancestors, newest first, the root last. Errors: kNotFound.
  core::Result<std::vector<SnapshotInfo>> ancestry(const SnapshotId& from) const;

  /// Persisted configuration merged with the options, as sessions opened now would use it.
  core::Result<RepositoryConfig> config() const;

  /// Every container in use and what reading it takes (VREF-3).
  core::Result<std::vector<ContainerNeed>> containers() const;

  // For the rooms of icechunk.
  const std::shared_ptr<AssetStore>& assets() const noexcept { return assets_; }
  const RepositoryOptions& options() const noexcept { return *options_; }

 private:
  Repository(std::shared_ptr<AssetStore> assets, std::shared_ptr<const RepositoryOptions> options)
      : assets_(std::move(assets)), options_(std::move(options)) {}

  core::Result<Session> session(const RepoInfo& repo, const SnapshotId& base,
                                std::optional<std::string> branch) const;

  std::shared_ptr<AssetStore> assets_;
  std::shared_ptr<const RepositoryOptions> options_;
};

}  // namespace icefield::icechunk
