#include "cli/environment.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "cli/exit_status.h"
#include "core/text.h"

namespace icefield::cli {
namespace {

/// Read before any thread is started.
std::string variable(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  return value == nullptr ? std::string() : std::string(value);
}

}  // namespace

core::Result<Environment> environment() {
  const auto word = variable("DYNAMICAL_ENV");
  if (word.empty() || word == "dev") return Environment::kDev;
  if (word == "test") return Environment::kTest;
  if (word == "prod") return Environment::kProd;
  return core::Error(core::ErrorCode::kInvalidArgument,
                     core::text("DYNAMICAL_ENV is '", word, "'; it must be dev, test or prod"));
}

std::string local_store_path(const dataset::DatasetSpec& spec, Environment environment) {
  const auto version =
      environment == Environment::kDev ? std::string("dev") : std::string(spec.version);
  const auto path = std::filesystem::path("data") / "output" / std::string(spec.id) /
                    core::text("v", version, ".icechunk");
  return std::filesystem::absolute(path).string();
}

std::vector<std::string> words_of_variable(const char* name) {
  std::vector<std::string> words;
  for (auto& word : core::split(variable(name), ',')) {
    if (!word.empty()) words.push_back(std::move(word));
  }
  return words;
}

int fail(const core::Error& error) {
  std::fprintf(stderr, "icefield: %s\n", error.message().c_str());
  return error.code() == core::ErrorCode::kInvalidArgument ? kWrongUse : kFailed;
}

}  // namespace icefield::cli
