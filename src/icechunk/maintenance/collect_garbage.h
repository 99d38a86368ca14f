#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "core/result.h"
#include "core/time.h"
#include "icechunk/commit/repository.h"

namespace icefield::icechunk {

struct GarbageOptions {
  /// Objects that the store wrote before this may go, by the store's clock. It protects writers
  /// that have not committed yet: everything they wrote must be younger.
  core::Instant older_than;

  bool dry_run = false;  // only count

  /// Called between the steps (`marked`, `unregistered`, `checked again`, `deleted snapshots`,
  /// ...): for tests that let others work meanwhile.
  std::function<void(std::string_view step)> between = [](std::string_view) {};
};

struct Deleted {
  std::uint64_t objects = 0;
  std::uint64_t bytes = 0;
};

struct GarbageResult {
  std::uint64_t snapshots_dropped = 0;  // from the repo object
  Deleted snapshots, transaction_logs, manifests, chunks;
  std::uint64_t leftovers = 0;  // of interrupted writes, which no listing shows; not of a dry run
};

/// Deletes objects that no snapshot needs (docs/formats/icechunk.md, Garbage collection): first
/// snapshots that no ref leads to leave the repo object, then objects go, in the order snapshots,
/// logs, manifests, chunks, only while no deletion failed. Refs are read again before anything is
/// deleted; what was committed meanwhile stays. Backups are never touched.
/// Errors: kInvalidArgument for a time in the store's future; kConflict when refs moved onto what
/// was to go, over and over; the store's own, after which nothing that is needed is gone.
core::Result<GarbageResult> collect_garbage(const Repository& repository,
                                            const GarbageOptions& options);

}  // namespace icefield::icechunk
