#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "cli/exit_status.h"
#include "core/json.h"
#include "core/result.h"
#include "core/time.h"
#include "icechunk/commit/repository.h"

namespace icefield::cli {

inline constexpr std::string_view kVersionHelp = "Branch, tag:NAME or snapshot id";

/// What a `store` command prints: with --json the value on one line, else the lines.
struct Printed {
  core::Json json;
  std::vector<std::string> lines;
  int status = kDone;
};

using StoreWork = std::function<core::Result<Printed>(const icechunk::Repository&)>;

/// How a command presents itself.
struct StoreCommand {
  std::string name;
  std::string help;
  std::string example;  // what follows `icefield store ` in an example
  /// What to print of a repository that cannot be opened because it is damaged; nothing: the error.
  std::function<Printed(const core::Error&)> when_damaged = {};
};

/// Adds `store NAME STORE [--json]`: opens the repository at STORE (a folder or URL), does the
/// work and prints. More options may be added to what comes back.
CLI::App& add_store_command(CLI::App& store, Run& run, const StoreCommand& command, StoreWork work);

/// `status`, or that of a failure when not everything that was printed could be written.
int written(int status);

/// "Example:" and the line, for the end of a help text.
std::string example_footer(std::string_view example);

/// The repository at a folder or URL.
core::Result<icechunk::Repository> open_repository(const std::string& place);

// The commands of command_store_move.cc, command_store_refresh.cc and command_store_verify.cc.
void add_store_move_commands(CLI::App& store, Run& run);
void add_store_refresh_command(CLI::App& store, Run& run);
void add_store_verify_command(CLI::App& store, Run& run);

/// A branch, a tag (`tag:NAME`), a snapshot id. Errors: kNotFound for none of these.
core::Result<icechunk::SnapshotId> resolve_version(const icechunk::Repository& repository,
                                                   const std::string& text);

/// A moment: `2025-08-01`, `2025-08-01T00:00:00`, or so long ago: `30d`, `12h`, `5m`, `0s`.
core::Result<core::Instant> parse_moment(const std::string& text, core::Instant now);

}  // namespace icefield::cli
