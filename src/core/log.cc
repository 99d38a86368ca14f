#include "core/log.h"

#include <memory>

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

namespace icefield::core {
namespace {

spdlog::logger& logger() {
  static const auto made = [] {
    auto log = std::make_shared<spdlog::logger>("icefield",
                                                std::make_shared<spdlog::sinks::stderr_sink_mt>());
    log->set_pattern("%Y-%m-%dT%H:%M:%SZ %l %v", spdlog::pattern_time_type::utc);
    return log;
  }();
  return *made;
}

}  // namespace

void log_info(std::string_view message) {
  logger().info("{}", message);
}
void log_warning(std::string_view message) {
  logger().warn("{}", message);
}
void log_error(std::string_view message) {
  logger().error("{}", message);
}

void set_log_level(LogLevel least) {
  switch (least) {
    case LogLevel::kInfo:
      return logger().set_level(spdlog::level::info);
    case LogLevel::kWarning:
      return logger().set_level(spdlog::level::warn);
    case LogLevel::kError:
      return logger().set_level(spdlog::level::err);
    case LogLevel::kOff:
      return logger().set_level(spdlog::level::off);
  }
}

}  // namespace icefield::core
