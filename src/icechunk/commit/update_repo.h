#pragma once

#include <cstdint>
#include <functional>

#include "core/result.h"
#include "icechunk/assets/asset_store.h"
#include "icechunk/format/repo_update.h"

namespace icefield::icechunk {

/// Waits between tries of one operation: five at once, then longer and longer with jitter.
class Backoff {
 public:
  explicit Backoff(const UpdateRetries& retries) : retries_(retries) {}

  /// False, without waiting, when the tries are used up.
  bool wait();

  std::uint32_t tries() const noexcept { return tries_; }

 private:
  UpdateRetries retries_;
  std::uint32_t tries_ = 0;
};

/// A change of the repo object as a function on its value. Called again on the fresh value after
/// every lost race, so it must not depend on what it saw before.
using RepoChange = std::function<core::Status(RepoInfo&, const UpdateStamp&)>;

/// Asked before a change is made: an error ends the operation without writing.
enum class Requires { kOnline, kNothing };

/// Replaces the repo object by its value after `change`, with a backup of the state before.
/// Errors: those of `change`; kPermissionDenied when the repository is read only;
///         kUnavailable when the race was lost too often.
core::Status update_repo(AssetStore& assets, const RepoChange& change,
                         Requires requires_what = Requires::kOnline);

}  // namespace icefield::icechunk
