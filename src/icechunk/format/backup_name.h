#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/time.h"
#include "icechunk/format/ids.h"

namespace icefield::icechunk {

/// Name of a former state of the repo object, as the repo object itself stores it: without the
/// `overwritten/` of its key. Later backups sort first (docs/formats/icechunk.md, Backups).
struct BackupName {
  core::Instant at = {};  // when it was made, whole milliseconds
  BackupId id = {};
  friend bool operator==(const BackupName&, const BackupName&) = default;
};

/// `repo.30707712788085.T4RCMBCNXWNQFHJ8P19G`. Precondition: 1970 <= at < 3000-01-01.
std::string backup_text(const BackupName& name);

/// A name for a backup made at `now`, with a random id.
std::string new_backup_name(core::Instant now);

/// Nothing when `text` is not of that form.
std::optional<BackupName> parse_backup_name(std::string_view text);

}  // namespace icefield::icechunk
