#include "icechunk/commit/commit.h"

#include "icechunk/commit/internal/commit_run.h"
#include "icechunk/commit/internal/rebase_onto.h"
#include "icechunk/session/session_state.h"

namespace icefield::icechunk {

core::Result<CommitResult> commit(Session& session, std::string_view message,
                                  const Metadata& metadata, const CommitOptions& options) {
  return CommitRun(session.state(), {.message = message,
                                     .metadata = metadata,
                                     .mode = CommitMode::kOnTop,
                                     .options = options,
                                     .flush = {.layout = options.layout, .arrays = {}}})
      .run();
}

core::Result<CommitResult> amend(Session& session, std::string_view message,
                                 const Metadata& metadata, const CommitOptions& options) {
  return CommitRun(session.state(), {.message = message,
                                     .metadata = metadata,
                                     .mode = CommitMode::kAmend,
                                     .options = options,
                                     .flush = {.layout = options.layout, .arrays = {}}})
      .run();
}

core::Status rebase(Session& session, const ConflictPolicy& policy) {
  SessionState& state = session.state();
  if (!state.branch()) {
    return core::Error(core::ErrorCode::kInvalidArgument, "rebase: the session is read-only");
  }
  TRY_ASSIGN(const auto repo, state.context().assets->repo());
  TRY_ASSIGN(const auto tip, repo.info->branch_tip(*state.branch()));
  if (tip == state.base().id) return {};
  return rebase_onto(state, *repo.info, tip, policy);
}

}  // namespace icefield::icechunk
