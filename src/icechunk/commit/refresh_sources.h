#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/bytes.h"
#include "core/result.h"
#include "icechunk/commit/commit.h"
#include "icechunk/commit/repository.h"
#include "object_store/object_store.h"

namespace icefield::icechunk {

/// A source that is not what it was when it was referenced.
struct ChangedSource {
  std::string_view location;                   // as the references have it
  std::string_view container;                  // url prefix of its container
  const object_store::ObjectStore& store;      // of its container
  const object_store::ObjectInfo& now;         // its key below that store, its identity now
  const std::vector<core::ByteRange>& ranges;  // that are referenced, in the order of the arrays
};

struct RefreshOptions {
  /// True when the ranges hold what they held: by the bytes of a copy, or by an index that still
  /// gives them. Called once per source, from this thread. An error ends the whole refresh.
  std::function<core::Result<bool>(const ChangedSource&)> same;

  std::size_t requests = 64;  // at once, to look at sources
  bool dry_run = false;       // compares and tells, commits nothing
};

struct RefreshReport {
  std::uint64_t sources = 0;            // with a recorded identity, looked at
  std::vector<std::string> refreshed;   // recorded anew, by location
  std::vector<std::string> different;   // changed and not the same: left as they are
  std::vector<std::string> unreadable;  // gone, or nobody authorised their container
  std::optional<CommitResult> commit;   // nothing: there was nothing to refresh
};

/// Brings the recorded identities of sources up to date where the content has not changed (VREF-6):
/// a provider that copied its files over themselves makes readers refuse what is still right.
/// One commit on the branch; beside other writers as any other commit. Memory: one entry per
/// source with an identity, and the references of those that changed.
/// Errors: as commit; those of `same`.
core::Result<RefreshReport> refresh_sources(const Repository& repository, std::string_view branch,
                                            std::string_view message,
                                            const RefreshOptions& options);

}  // namespace icefield::icechunk
