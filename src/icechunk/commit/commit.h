#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "icechunk/commit/repository.h"
#include "icechunk/format/ids.h"
#include "icechunk/format/metadata.h"
#include "icechunk/session/session.h"

namespace icefield::icechunk {

/// How references become manifests.
enum class ManifestLayout : std::uint8_t {
  /// New positions go into new manifests of their own, one box each, cut at the windows; a
  /// manifest is rewritten only when a position inside its box changes. Cost is that of the
  /// references added.
  kAppend,
  /// Every window that is touched ends as one manifest. For a writer that fills whole windows at
  /// once anyway (a backfill on windows of its own), and for tests against the official layout.
  kWindows,
};

/// What to do when both sides changed the same thing (spec 12.6: rows 8, 9 and 10). All other
/// conflicts fail always.
enum class Preference : std::uint8_t { kFail, kOurs, kTheirs };
struct ConflictPolicy {
  Preference chunk_double_update = Preference::kFail;
  bool delete_updated_arrays = false;  // true: our deletion stands although they changed it
  bool delete_updated_groups = false;
};

struct CommitOptions {
  ManifestLayout layout = ManifestLayout::kAppend;
  ConflictPolicy conflicts;
  bool allow_empty = false;

  /// Lost races that are answered by a rebase; then kConflict.
  std::uint32_t max_rebases = 1000;

  /// Wait in line with the other writers of the branch instead of racing them all.
  bool queue = true;
};

struct CommitResult {
  SnapshotId snapshot;
  SnapshotId parent;
  std::uint32_t rebase_attempts = 0;    // replacements of repo that failed, or tips that moved
  std::chrono::milliseconds flush{0};   // encoding and writing of manifests, snapshot and log
  std::chrono::milliseconds wait{0};    // in line and in backoff
  std::uint64_t references = 0;         // set by this commit
  std::uint64_t manifests_written = 0;  // over all attempts
  std::uint64_t manifest_bytes = 0;     // over all attempts
  std::uint64_t bytes_written = 0;      // all objects, over all attempts
};

/// Publishes a session's changes as one snapshot on its branch: all of it or nothing. When the
/// branch has moved, the changes are rebased onto its tip and committed there; manifests that are
/// still right are used again. Afterwards the session is read-only and shows the new snapshot.
///
/// `metadata` must not hold the key `__icechunk`; there the snapshot gets rebase_attempts and,
/// under `icefield` of our own, {"flush_ms", "wait_ms"}.
///
/// Errors: kInvalidArgument: read-only session, or no changes (unless allow_empty);
///         kConflict: our changes contradict what was committed meanwhile, with the rules and
///         paths in the text (see conflicts.h), or max_rebases was reached;
///         kNotFound: the branch is gone; kUnsupported: a log or manifest would pass what readers
///         can read (50 million positions per commit), found before anything is published.
/// After an error nothing was published and the session is as it was, possibly rebased.
/// kUnknownOutcome never comes back: lost answers are looked up.
core::Result<CommitResult> commit(Session& session, std::string_view message,
                                  const Metadata& metadata = {}, const CommitOptions& options = {});

/// Like commit, but takes the place of the branch's tip, which must be the session's base: the
/// snapshot's parent is the tip's parent, its log the merger of both. No rebase.
/// Errors: as commit; kConflict when the tip is another; kInvalidArgument for the initial
/// snapshot, and for edits on top of a commit that moved nodes.
core::Result<CommitResult> amend(Session& session, std::string_view message,
                                 const Metadata& metadata = {}, const CommitOptions& options = {});

/// Moves the session to the tip of its branch without committing.
/// Errors: kConflict as commit; the session then stays at the last snapshot it could follow.
core::Status rebase(Session& session, const ConflictPolicy& policy = {});

}  // namespace icefield::icechunk
