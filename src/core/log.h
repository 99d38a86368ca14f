#pragma once

#include <string_view>

namespace icefield::core {

enum class LogLevel { kInfo, kWarning, kError, kOff };

/// One line on standard error: `2025-08-01T00:00:00Z INFO message`. Any thread.
void log_info(std::string_view message);
void log_warning(std::string_view message);
void log_error(std::string_view message);

/// Lines below `least` are dropped from now on. Default: kInfo.
void set_log_level(LogLevel least);

}  // namespace icefield::core
