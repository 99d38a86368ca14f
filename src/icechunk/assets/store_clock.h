#pragma once

#include <atomic>
#include <cstdint>

#include "core/time.h"

namespace icefield::icechunk {

/// What time it is by the object store's clock, as well as it can be told. Stores say the time at
/// which an object was written; each such answer narrows down how far the local clock is off.
/// Until the first one the local clock is taken to be right. Any threads.
class StoreClock {
 public:
  explicit StoreClock(core::Clock local) : local_(std::move(local)) {}

  core::Instant local_now() const { return local_(); }

  /// Now by the store's clock, and rather too early than in the store's future.
  core::Instant now() const;

  /// The store wrote an object between two local times, and says that it was at `written`.
  /// A time without fraction of a second is taken as rounded down.
  void observe(core::Instant before, core::Instant after, core::Instant written);

  /// How much the store's clock is ahead of the local one; 0 unless an observation says more than
  /// its own uncertainty and kNegligible.
  std::chrono::microseconds offset() const;

  /// Clocks of one machine differ by a tick of the file system's clock.
  static constexpr std::chrono::milliseconds kNegligible{20};

 private:
  core::Clock local_;
  std::atomic<std::int64_t> offset_{0};  // microseconds
};

}  // namespace icefield::icechunk
