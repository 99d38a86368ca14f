#include "icechunk/commit/update_repo.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include "core/random.h"
#include "core/text.h"
#include "icechunk/format/backup_name.h"

namespace icefield::icechunk {
namespace {

constexpr std::uint32_t kTriesAtOnce = 5;
constexpr std::uint32_t kMostDoublings = 20;

}  // namespace

bool Backoff::wait() {
  ++tries_;
  if (tries_ >= retries_.max_tries) return false;
  if (tries_ <= kTriesAtOnce) return true;
  const std::uint32_t doublings = std::min(tries_ - kTriesAtOnce - 1, kMostDoublings);
  const std::uint64_t longest = std::min<std::uint64_t>(
      std::uint64_t{retries_.initial_backoff_ms} << doublings, retries_.max_backoff_ms);
  std::this_thread::sleep_for(std::chrono::milliseconds(core::random_u64() % (longest + 1)));
  return true;
}

core::Status update_repo(AssetStore& assets, const RepoChange& change, Requires requires_what) {
  TRY_ASSIGN(auto state, assets.repo());
  const UpdateRetries retries =
      state.info->config ? state.info->config->update_retries() : UpdateRetries{};
  Backoff backoff(retries);
  while (true) {
    if (requires_what == Requires::kOnline) TRY(require_online(*state.info));
    const auto now = assets.clock().now();
    const UpdateStamp stamp{.now = now, .backup = new_backup_name(now)};
    auto after = std::make_shared<RepoInfo>(*state.info);
    TRY(change(*after, stamp));
    auto backed_up = assets.back_up(state, stamp.backup);
    if (backed_up) {
      TRY_ASSIGN(const bool done, assets.replace_repo(state, std::move(after), stamp.backup));
      if (done) return {};
    } else if (backed_up.error().code() != core::ErrorCode::kConflict) {
      return backed_up;
    }
    if (!backoff.wait()) {
      return core::Error(core::ErrorCode::kUnavailable,
                         core::text("replace repo: lost the race ", backoff.tries(), " times"));
    }
    TRY_ASSIGN(state, assets.repo());
  }
}

}  // namespace icefield::icechunk
