#pragma once

#include <string_view>

#include "core/result.h"
#include "core/time.h"

namespace icefield::object_store {

/// "2025-08-01T00:00:00Z" with or without a fraction, as services' documents write times.
/// Errors: kCorrupt.
core::Result<core::Instant> read_iso_time(std::string_view text);

}  // namespace icefield::object_store
