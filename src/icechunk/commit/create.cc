#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "core/text.h"
#include "icechunk/assets/asset_store.h"
#include "icechunk/assets/keys.h"
#include "icechunk/commit/repository.h"
#include "icechunk/format/repo_update.h"
#include "icechunk/format/snapshot_codec.h"
#include "icechunk/format/transaction_log_codec.h"

namespace icefield::icechunk {
namespace {

constexpr std::chrono::seconds kMostClockError{600};

/// What lies at a place where a repository is to be made.
struct Place {
  bool repository = false;
  std::optional<std::string> foreign;  // an object that no interrupted create left
};

core::Result<Place> look_at(const object_store::ObjectStore& store) {
  Place place;
  TRY(store.list({}, [&place](const object_store::ListPage& page) {
    for (const auto& object : page.objects) {
      const bool own = object.key == snapshot_key(kInitialSnapshotId) ||
                       object.key == transaction_log_key(kInitialSnapshotId);
      if (object.key == repo_key() || object.key.value().starts_with("refs/")) {
        place.repository = true;
      } else if (!own && !place.foreign) {
        place.foreign = object.key.value();
      }
    }
    return !place.foreign || !place.repository;
  }));
  return place;
}

/// Errors: kConflict when a repository is there, kInvalidArgument when anything else but the
/// leftovers of an interrupted create is.
core::Status check_place(const object_store::ObjectStore& store) {
  TRY_ASSIGN(const Place place, look_at(store));
  if (place.repository) {
    return core::Error(core::ErrorCode::kConflict,
                       "there is a repository at " + store.location() + " already");
  }
  if (place.foreign) {
    return core::Error(core::ErrorCode::kInvalidArgument,
                       core::text("no repository can be made at ", store.location(),
                                  ": it holds other objects, like ", *place.foreign));
  }
  return {};
}

/// Writes the two initial objects; gives the snapshot as written.
core::Result<Snapshot> write_initial_objects(AssetStore& assets) {
  Snapshot first = initial_snapshot(assets.clock().now());
  while (true) {
    TRY_ASSIGN(const auto bytes, encode_snapshot(first));
    TRY_ASSIGN([[maybe_unused]] const auto written, assets.put_new(snapshot_key(first.id), bytes));
    // the answer told what time it is in the store
    const auto now = assets.clock().now();
    const auto off = now > first.flushed_at ? now - first.flushed_at : first.flushed_at - now;
    if (first.flushed_at <= now && off < kMostClockError) break;
    first.flushed_at = now;
  }
  TRY_ASSIGN(const auto log, encode_transaction_log({.id = first.id}));
  TRY_ASSIGN([[maybe_unused]] const auto written,
             assets.put_new(transaction_log_key(first.id), log));
  return first;
}

}  // namespace

core::Result<Repository> Repository::create(std::shared_ptr<object_store::ObjectStore> store,
                                            const RepositoryConfig& config,
                                            RepositoryOptions options) {
  TRY(check_place(*store));
  AssetStore assets(store, options.cache_bytes, options.clock);
  TRY_ASSIGN(const auto first, write_initial_objects(assets));
  TRY_ASSIGN(auto first_info, info_of(first, std::nullopt));
  const auto repo = std::make_shared<const RepoInfo>(
      initial_repo(first_info, new_repository_config().merged_with(config), assets.clock().now()));
  TRY_ASSIGN(const bool created, assets.replace_repo(std::nullopt, repo, ""));
  if (!created) {
    return core::Error(core::ErrorCode::kConflict,
                       "somebody else created a repository at " + store->location());
  }
  return open(std::move(store), std::move(options));
}

}  // namespace icefield::icechunk
