#include "icechunk/commit/compact.h"

#include "icechunk/commit/internal/commit_run.h"
#include "icechunk/session/session_state.h"

namespace icefield::icechunk {

core::Result<CompactResult> compact(const Repository& repository, std::string_view branch,
                                    std::string_view message, const CompactOptions& options) {
  TRY_ASSIGN(auto session, repository.writable_session(branch));
  const FlushOptions flush{.layout = ManifestLayout::kAppend,
                           .effort = ManifestEffort::kCompact,
                           .keep_manifests = std::max<std::size_t>(options.keep_manifests, 1),
                           .arrays = options.arrays};
  CompactResult result;
  const auto crowd = find_crowded_windows(session.state(), flush);
  result.windows = crowd.windows;
  result.manifests_before = result.manifests_after = crowd.manifests;
  if (options.dry_run || crowd.windows == 0) return result;
  const Metadata metadata;
  CommitRun run(session.state(), {.message = message,
                                  .metadata = metadata,
                                  .mode = CommitMode::kOnTop,
                                  .options = {.conflicts = {}, .allow_empty = true},
                                  .flush = flush});
  TRY_ASSIGN(result.commit, run.run());
  const auto statistics = run.flush().statistics();
  result.windows = statistics.windows_merged;
  result.manifests_before = statistics.manifests_before;
  result.manifests_after = statistics.manifests_after;
  return result;
}

}  // namespace icefield::icechunk
