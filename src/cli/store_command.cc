#include "cli/store_command.h"

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include <CLI/CLI.hpp>

#include "cli/environment.h"
#include "core/printable.h"
#include "core/text.h"
#include "object_store/open.h"

namespace icefield::cli {
namespace {

struct StoreArguments {
  std::string store;
  bool json = false;
};

int show(const core::Result<Printed>& printed, bool json) {
  if (!printed) return fail(printed.error());
  if (json) {
    std::puts(printed->json.dump({.nan_tokens = true}).c_str());
  } else {
    for (const std::string& line : printed->lines) std::puts(core::printable(line).c_str());
  }
  return written(printed->status);
}

int perform(const StoreArguments& arguments, const StoreCommand& command, const StoreWork& work) {
  const auto repository = open_repository(arguments.store);
  if (repository) return show(work(*repository), arguments.json);
  const bool damaged = repository.error().code() == core::ErrorCode::kCorrupt;
  if (!damaged || !command.when_damaged) return fail(repository.error());
  return show(command.when_damaged(repository.error()), arguments.json);
}

/// "30d" and the like.
std::optional<std::chrono::seconds> parse_age(std::string_view text) {
  static const std::map<char, std::chrono::seconds> kUnits = {{'s', std::chrono::seconds(1)},
                                                              {'m', std::chrono::minutes(1)},
                                                              {'h', std::chrono::hours(1)},
                                                              {'d', std::chrono::days(1)}};
  if (text.empty()) return std::nullopt;
  const auto unit = kUnits.find(text.back());
  if (unit == kUnits.end()) return std::nullopt;
  constexpr std::int64_t kMost = 1'000'000;
  std::int64_t count = 0;
  const char* const end = text.data() + text.size() - 1;
  const auto parsed = std::from_chars(text.data(), end, count);
  if (parsed.ec != std::errc() || parsed.ptr != end || count < 0 || count > kMost) {
    return std::nullopt;
  }
  return unit->second * count;
}

}  // namespace

CLI::App& add_store_command(CLI::App& store, Run& run, const StoreCommand& command,
                            StoreWork work) {
  auto* const added = store.add_subcommand(command.name, command.help);
  const auto arguments = std::make_shared<StoreArguments>();
  added->add_option("STORE", arguments->store, "Folder or URL of the repository")->required();
  added->add_flag("--json", arguments->json, "JSON on standard output");
  added->footer(example_footer(command.example));
  added->callback([&run, arguments, command, work = std::move(work)] {
    run = [arguments, command, work] { return perform(*arguments, command, work); };
  });
  return *added;
}

int written(int status) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  if (errno == EPIPE) return kFailed;  // a reader that has seen enough, like `head`
  return fail(core::Error(core::ErrorCode::kUnavailable,
                          core::text("standard output: ", std::strerror(errno))));
}

std::string example_footer(std::string_view example) {
  return core::text("Example:\n  icefield store ", example);
}

core::Result<icechunk::Repository> open_repository(const std::string& place) {
  TRY_ASSIGN(auto store, object_store::open_store(place));
  return icechunk::Repository::open(std::move(store));
}

core::Result<icechunk::SnapshotId> resolve_version(const icechunk::Repository& repository,
                                                   const std::string& text) {
  constexpr std::string_view kTag = "tag:";
  if (text.starts_with(kTag)) {
    return repository.resolve(icechunk::TagName(text.substr(kTag.size())));
  }
  TRY_ASSIGN(const auto info, repository.info());
  if (info->branches.contains(text)) return repository.resolve(icechunk::BranchName(text));
  if (const auto id = icechunk::SnapshotId::parse(text)) return repository.resolve(*id);
  return core::Error(core::ErrorCode::kNotFound,
                     text + " is no branch and no snapshot id (tags are written tag:NAME)");
}

core::Result<core::Instant> parse_moment(const std::string& text, core::Instant now) {
  if (const auto age = parse_age(text)) return now - *age;
  const auto moment = core::parse_timestamp(text);
  if (moment) return core::Instant(*moment);
  return core::Error(core::ErrorCode::kInvalidArgument,
                     text + " is neither a time like 2025-08-01T00:00:00 nor an age like 30d");
}

}  // namespace icefield::cli
