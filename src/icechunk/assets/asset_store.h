#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

#include "core/result.h"
#include "core/time.h"
#include "icechunk/assets/cache.h"
#include "icechunk/assets/store_clock.h"
#include "icechunk/format/manifest.h"
#include "icechunk/format/repo_info.h"
#include "icechunk/format/snapshot.h"
#include "icechunk/format/transaction_log.h"
#include "object_store/object_store.h"

namespace icefield::icechunk {

/// The repo object at one moment.
struct RepoState {
  std::shared_ptr<const RepoInfo> info;
  object_store::Version version;  // what a replacement is conditional on
  bool legacy = false;            // of spec version 1: there is no repo object, nothing to replace
};

/// The files of one repository as values: loading with a cache, storing with answers that got
/// lost looked up. Shared by all sessions of a Repository. Any threads.
/// Errors of every read: kNotFound, kCorrupt (both naming the object), and those of the store.
class AssetStore {
 public:
  AssetStore(std::shared_ptr<object_store::ObjectStore> store, std::size_t cache_bytes,
             core::Clock clock)
      : store_(std::move(store)), cache_(cache_bytes), clock_(std::move(clock)) {}

  object_store::ObjectStore& store() const noexcept { return *store_; }
  const std::shared_ptr<object_store::ObjectStore>& shared_store() const noexcept { return store_; }
  StoreClock& clock() noexcept { return clock_; }
  AssetCache& cache() noexcept { return cache_; }

  /// The repo object as the store has it now; not transferred again while it is unchanged.
  core::Result<RepoState> repo();

  /// The repo object as it was last seen by this process, if it ever was. No request.
  std::optional<RepoState> last_seen_repo() const;

  core::Result<std::shared_ptr<const Snapshot>> snapshot(const SnapshotId& id);
  /// A snapshot that was just written need not be read again; of `before`, in whose place it
  /// stands now, what it does not hold any more need not be kept.
  void remember(std::shared_ptr<const Snapshot> written, const Snapshot& before);

  core::Result<std::shared_ptr<const TransactionLog>> transaction_log(const SnapshotId& id);
  core::Result<std::shared_ptr<const Manifest>> manifest(const ManifestFile& file);
  /// The same for the one who is about to replace the manifest, and needs it only once: it is not
  /// kept, so that the next one takes its place in memory.
  core::Result<std::shared_ptr<const Manifest>> manifest_once(const ManifestFile& file);

  /// Writes under a random, so far unused name: an answer that got lost is sent again.
  /// Gives the bytes written.
  core::Result<std::uint64_t> put_new(const object_store::Key& key,
                                      std::span<const std::byte> bytes);
  /// The same for many at once: result i belongs to object i. Precondition: they have no
  /// conditions.
  std::vector<core::Result<std::uint64_t>> put_new(std::vector<object_store::PutRequest> objects);

  /// Copies the state `before` of repo to overwritten/`backup`.
  /// Errors: kConflict when repo is no longer in that state; kUnsupported for spec version 1.
  core::Status back_up(const RepoState& before, const std::string& backup);

  /// Replaces the state `before` by `after`, whose log names `backup`, or creates repo when there
  /// is no state before. True: done. False: someone else was first, nothing was changed.
  /// An answer that got lost is looked up: `after` is there, or the history that grew on it is.
  core::Result<bool> replace_repo(const std::optional<RepoState>& before,
                                  std::shared_ptr<const RepoInfo> after, const std::string& backup);

 private:
  core::Result<std::shared_ptr<const Manifest>> read_manifest(const ManifestFile& file) const;

  core::Result<bool> has_landed(std::span<const std::byte> sent, const RepoInfo* before,
                                const std::string& backup);
  core::Result<bool> names_backup(const RepoInfo& present, core::Instant entry,
                                  const std::string& backup);
  void remember(RepoState state);

  std::shared_ptr<object_store::ObjectStore> store_;
  AssetCache cache_;
  StoreClock clock_;
  mutable std::mutex mutex_;  // guards last_repo_
  std::optional<RepoState> last_repo_;
};

}  // namespace icefield::icechunk
