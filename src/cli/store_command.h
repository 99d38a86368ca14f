#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/exit_status.h"
#include "core/json.h"
#include "core/result.h"
#include "core/time.h"
#include "icechunk/commit/repository.h"

namespace icefield::cli {

/// What a `store` command prints: with --json the value on one line, else the lines.
struct Printed {
  core::Json json;
  std::vector<std::string> lines;
  int status = kDone;
};

using StoreWork = std::function<core::Result<Printed>(const icechunk::Repository&)>;

/// Adds `store NAME STORE [--json]`: opens the repository at STORE (a folder or URL), does the
/// work and prints. More options may be added to what comes back.
CLI::App& add_store_command(CLI::App& store, Run& run, const std::string& name,
                            const std::string& help, StoreWork work);

/// A branch, a tag (`tag:NAME`), a snapshot id. Errors: kInvalidArgument for none of these forms.
core::Result<icechunk::SnapshotId> resolve_version(const icechunk::Repository& repository,
                                                   const std::string& text);

/// A moment: `2025-08-01`, `2025-08-01T00:00:00`, or so long ago: `30d`, `12h`, `5m`, `0s`.
core::Result<core::Instant> parse_moment(const std::string& text, core::Instant now);

}  // namespace icefield::cli
