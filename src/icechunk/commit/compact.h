#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/result.h"
#include "icechunk/commit/commit.h"
#include "icechunk/commit/repository.h"

namespace icefield::icechunk {

struct CompactOptions {
  /// A window is merged when it has more manifests than this, or one that reaches into another
  /// window (as after a change of the split sizes).
  std::size_t keep_manifests = 1;

  /// Arrays to look at.
  std::function<bool(std::string_view path)> arrays = [](std::string_view) { return true; };

  /// Only count, write nothing.
  bool dry_run = false;
};

struct CompactResult {
  std::optional<CommitResult> commit;  // nothing: there was nothing to do, or dry_run
  std::size_t windows = 0;             // merged, or to merge
  std::size_t manifests_before = 0;    // in those windows, counted once per array
  std::size_t manifests_after = 0;
};

/// Merges the manifests of a branch's tip window by window, as one commit without content (its
/// log is empty). A merged manifest never gets a box with a free position beside references that
/// are still growing: positions that do not fill their box stay in manifests of their own.
/// Beside other writers: loses to commits that touch the same windows, and then does those again.
/// Errors: as commit.
core::Result<CompactResult> compact(const Repository& repository, std::string_view branch,
                                    std::string_view message, const CompactOptions& options = {});

}  // namespace icefield::icechunk
