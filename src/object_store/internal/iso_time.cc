#include "object_store/internal/iso_time.h"

#include <chrono>
#include <string>

#include "object_store/http/http_message.h"

namespace icefield::object_store {

core::Result<core::Instant> read_iso_time(std::string_view text) {
  if (text.size() < 20 || !text.ends_with('Z')) {
    return core::Error(core::ErrorCode::kCorrupt, "a time of the store that is none");
  }
  TRY_ASSIGN(const auto seconds, core::parse_timestamp(text.substr(0, 19)));
  std::int64_t micros = 0;
  if (text[19] == '.') {
    std::string digits(text.substr(20, text.size() - 21));
    digits.resize(6, '0');
    micros = static_cast<std::int64_t>(parse_number(digits).value_or(0));
  }
  return core::Instant(seconds) + std::chrono::microseconds(micros);
}

}  // namespace icefield::object_store
