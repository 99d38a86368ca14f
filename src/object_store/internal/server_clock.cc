#include "object_store/internal/server_clock.h"

#include <chrono>
#include <cstdlib>

namespace icefield::object_store {

core::Instant ServerClock::now() const {
  return core::system_now() + std::chrono::seconds(ahead_s_);
}

bool ServerClock::set_by(const HttpResponse& answer, std::int64_t was_ahead) {
  constexpr std::int64_t kApart = 60;  // seconds
  const auto date = parse_http_date(answer.header("date"));
  if (!date) return false;
  const auto ahead =
      std::chrono::floor<std::chrono::seconds>(core::Instant(*date) - core::system_now()).count();
  if (std::abs(ahead - was_ahead) <= kApart) return false;
  ahead_s_ = ahead;
  return true;
}

}  // namespace icefield::object_store
