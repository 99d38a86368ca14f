#include "cli/environment.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/exit_status.h"
#include "core/printable.h"
#include "core/text.h"

namespace icefield::cli {
namespace {

/// Read before any thread is started.
std::string variable(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  return value == nullptr ? std::string() : std::string(value);
}

std::string_view without_blanks(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
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

core::Result<std::string> local_store_path(const dataset::DatasetSpec& spec,
                                           Environment environment) {
  const auto version =
      environment == Environment::kDev ? std::string("dev") : std::string(spec.version);
  const auto path = std::filesystem::path("data") / "output" / std::string(spec.id) /
                    core::text("v", version, ".icechunk");
  std::error_code failed;
  const auto absolute = std::filesystem::absolute(path, failed);
  if (failed) {
    return core::Error(core::ErrorCode::kNotFound,
                       "the working directory cannot be read (" + failed.message() +
                           "); the store lies below it: change to a folder that exists");
  }
  return absolute.string();
}

std::vector<std::string> words_of_variable(const char* name) {
  std::vector<std::string> words;
  for (const auto& word : core::split(variable(name), ',')) {
    if (const auto bare = without_blanks(word); !bare.empty()) words.emplace_back(bare);
  }
  return words;
}

int fail(const core::Error& error) {
  std::fprintf(stderr, "icefield: %s\n", core::printable(error.message()).c_str());
  return error.code() == core::ErrorCode::kInvalidArgument ? kWrongUse : kFailed;
}

}  // namespace icefield::cli
