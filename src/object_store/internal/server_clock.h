#pragma once

#include <atomic>
#include <cstdint>

#include "core/time.h"
#include "object_store/http/http_message.h"

namespace icefield::object_store {

/// The time by a service's own clock: this machine's until an answer shows that they are apart.
/// Thread-safe.
class ServerClock {
 public:
  core::Instant now() const;

  /// Takes over the Date of an answer that has just come. True when it moved the clock by more than
  /// a minute: what was refused for its time may then be tried again.
  bool set_by(const HttpResponse& answer);

 private:
  std::atomic<std::int64_t> ahead_s_{0};  // how much the service's clock is ahead
};

}  // namespace icefield::object_store
