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

  /// How many seconds the service's clock is taken to be ahead.
  std::int64_t ahead() const { return ahead_s_; }

  /// Takes over the Date of an answer that has just come. True when it is more than a minute from
  /// what the clock showed for the request, which was sent when it was `was_ahead`: what was
  /// refused for its time may then be tried again.
  bool set_by(const HttpResponse& answer, std::int64_t was_ahead);

 private:
  std::atomic<std::int64_t> ahead_s_{0};
};

}  // namespace icefield::object_store
