#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "core/result.h"
#include "core/time.h"

namespace icefield::object_store {

/// Keeps a value that is good until a time, its member `expires` (Instant, or optional Instant;
/// unset: for ever), and fetches it again before then. Thread-safe; one fetch at a time.
template <typename T>
class Expiring {
 public:
  using Fetched = core::Result<std::optional<T>>;

  /// A value that stays good for at least a minute; nullopt when fetch gave that. While the one
  /// that is kept is still good, a failed fetch is not told, and not repeated for half a minute.
  /// Errors: those of fetch.
  Fetched get(core::Instant now, const std::function<Fetched()>& fetch) {
    const std::lock_guard lock(mutex_);
    if (kept_ && lasts(now, kFetchedAnewBefore)) return kept_;
    const bool usable = kept_ && lasts(now, kStillUsable);
    if (usable && now < not_before_) return kept_;
    auto fetched = fetch();
    if (!fetched) {
      not_before_ = now + kPauseAfterFailure;
      if (usable) return kept_;
      return fetched;
    }
    if (*fetched) kept_ = *fetched;
    return fetched;
  }

  /// Forgets what is kept: the service has refused it.
  void forget() {
    const std::lock_guard lock(mutex_);
    kept_.reset();
  }

 private:
  static constexpr std::chrono::minutes kFetchedAnewBefore{5};
  static constexpr std::chrono::minutes kStillUsable{1};
  static constexpr std::chrono::seconds kPauseAfterFailure{30};

  bool lasts(core::Instant now, std::chrono::minutes least) const {
    const std::optional<core::Instant> expires = kept_->expires;
    return !expires || *expires - now > least;
  }

  std::mutex mutex_;  // guards kept_ and not_before_
  std::optional<T> kept_;
  core::Instant not_before_{};  // of the next fetch while kept_ is still good
};

/// What a request is authorized with; empty for anonymous access.
struct BearerToken {
  std::string text;
  core::Instant expires;
};

}  // namespace icefield::object_store
