#include "object_store/testing/scripted_service.h"

#include <algorithm>
#include <utility>

#include <gtest/gtest.h>

#include "core/file.h"

namespace icefield::object_store_testing {

using namespace std::chrono_literals;

object_store::Environment environment_of(Variables variables) {
  return [variables = std::move(variables)](std::string_view name) -> std::optional<std::string> {
    const auto at = variables.find(name);
    return at == variables.end() ? std::nullopt : std::optional(at->second);
  };
}

object_store::OpenOptions options_of(Variables variables) {
  object_store::OpenOptions options;
  options.retry = {.attempts = 3, .first = 1ms, .most = 2ms, .total = 5s};
  options.environment = environment_of(std::move(variables));
  return options;
}

ScriptedService::ScriptedService(std::vector<TinyAnswer> answers)
    : answers_(std::move(answers)),
      server_([this](const TinyRequest& request) { return next(request); }) {}

std::vector<TinyRequest> ScriptedService::seen() const {
  const std::lock_guard lock(mutex_);
  return seen_;
}

TinyAnswer ScriptedService::next(const TinyRequest& request) {
  const std::lock_guard lock(mutex_);
  seen_.push_back(request);
  return answers_[std::min(seen_.size(), answers_.size()) - 1];
}

std::string header_of(const TinyRequest& request, const std::string& name) {
  const auto at = request.headers.find(name);
  return at == request.headers.end() ? std::string() : at->second;
}

TinyAnswer object_answer(std::vector<std::pair<std::string, std::string>> more) {
  TinyAnswer answer{.headers = std::move(more), .body = "object"};
  answer.headers.insert(answer.headers.end(),
                        {{"etag", "\"1\""}, {"last-modified", "Sun, 06 Nov 1994 08:49:37 GMT"}});
  return answer;
}

std::string write_text(const std::string& path, const std::string& text) {
  EXPECT_TRUE(core::write_file(path, core::as_bytes(text)));
  return path;
}

}  // namespace icefield::object_store_testing
