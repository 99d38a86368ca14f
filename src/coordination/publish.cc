#include "coordination/publish.h"

#include "core/text.h"
#include "icechunk/commit/refs.h"

namespace icefield::coordination {

core::Result<icechunk::SnapshotId> publish(const icechunk::Repository& repository,
                                           const std::string& branch) {
  TRY_ASSIGN(const auto state, branch_state(repository, branch));
  TRY_ASSIGN(const auto main_tip, repository.tip("main"));
  if (main_tip != state.tip) {
    if (main_tip != state.original) {
      return core::Error(
          core::ErrorCode::kConflict,
          core::text("main moved during this job; its writes remain unpublished on branch ", branch,
                     "; run the job again"));
    }
    TRY(icechunk::reset_branch(repository, "main", state.tip, state.original));
  }
  TRY(icechunk::delete_branch(repository, branch));
  return state.tip;
}

}  // namespace icefield::coordination
