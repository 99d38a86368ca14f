#include "icechunk/assets/store_clock.h"

namespace icefield::icechunk {
namespace {

using std::chrono::microseconds;

/// How much later than `written` the store's clock may have been.
microseconds resolution(core::Instant written) {
  return written.time_since_epoch() % std::chrono::seconds(1) == microseconds(0)
             ? microseconds(std::chrono::seconds(1))
             : microseconds(0);
}

}  // namespace

core::Instant StoreClock::now() const {
  return local_() + offset();
}

microseconds StoreClock::offset() const {
  return microseconds(offset_.load());
}

void StoreClock::observe(core::Instant before, core::Instant after, core::Instant written) {
  const microseconds least = written - after;
  const microseconds most = written + resolution(written) - before;
  const bool local_is_right = least <= kNegligible && most >= -kNegligible;
  // the least offset keeps what we write out of the store's future
  offset_ = local_is_right ? 0 : least.count();
}

}  // namespace icefield::icechunk
