#include "icechunk/maintenance/changeable.h"

#include "icechunk/assets/asset_store.h"
#include "icechunk/format/repo_update.h"

namespace icefield::icechunk {

core::Status require_changeable(const Repository& repository) {
  TRY_ASSIGN(const auto state, repository.assets()->repo());
  if (state.legacy) {
    return core::Error(core::ErrorCode::kUnsupported,
                       "a repository of spec version 1 is only read here: migrate it first");
  }
  return require_online(*state.info);
}

}  // namespace icefield::icechunk
