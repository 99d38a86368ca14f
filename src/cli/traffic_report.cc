#include "cli/traffic_report.h"

#include <chrono>
#include <utility>

#include "object_store/traffic.h"

namespace icefield::cli {
namespace {

double milliseconds(std::chrono::microseconds time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

}  // namespace

std::vector<std::string> traffic_lines() {
  std::vector<std::string> lines;
  for (const auto& host : object_store::traffic()) lines.push_back(object_store::describe(host));
  return lines;
}

core::Json traffic_json() {
  core::Json::Array hosts;
  for (const auto& host : object_store::traffic()) {
    hosts.push_back(core::Json::object({{"host", host.host},
                                        {"requests", host.requests},
                                        {"retries", host.retries},
                                        {"failures", host.failures},
                                        {"throttled", host.throttled},
                                        {"bytes_received", host.bytes_received},
                                        {"bytes_sent", host.bytes_sent},
                                        {"median_ms", milliseconds(host.median)},
                                        {"p99_ms", milliseconds(host.p99)}}));
  }
  return hosts;
}

}  // namespace icefield::cli
