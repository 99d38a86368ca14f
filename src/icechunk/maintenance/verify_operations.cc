#include <algorithm>
#include <chrono>
#include <optional>
#include <set>
#include <string>

#include "core/text.h"
#include "icechunk/assets/keys.h"
#include "icechunk/format/repo_info_codec.h"
#include "icechunk/maintenance/internal/findings.h"

namespace icefield::icechunk {
namespace {

bool is_migration(const Update& update) {
  return std::holds_alternative<update::RepoMigrated>(update.kind);
}

void inspect_entries(Inspection& inspection, const std::string& object,
                     const std::vector<Update>& updates, std::optional<core::Instant>& later) {
  for (std::size_t i = 0; i < updates.size(); ++i) {
    const Update& update = updates[i];
    if (i == 0 && update.backup) {
      inspection.damage(object, "the newest operation names a backup: official writers stop at it");
    } else if (i > 0 && !update.backup && !inspection.migrated) {
      inspection.unusual(object, "an operation that is not the newest names no backup");
    } else if (update.backup && !inspection.exists(backup_key(*update.backup))) {
      inspection.unusual(backup_key(*update.backup).value(), "is named as a backup, but is gone");
    }
    if (later && update.at >= *later) {
      const std::string what = "an operation is not older than the one that came after it";
      if (inspection.migrated) {
        inspection.unusual(object, what);
      } else {
        inspection.damage(object, what);
      }
    }
    later = update.at;
  }
}

}  // namespace

core::Status inspect_operations(Inspection& inspection) {
  RepoInfo at = *inspection.state.info;
  std::string object(kRepoKey);
  std::optional<core::Instant> later;
  std::set<std::string> seen;
  inspection.migrated = std::ranges::any_of(at.updates, is_migration);
  if (at.updates.front().at > inspection.assets.clock().now() + std::chrono::seconds(1)) {
    inspection.damage(object, "the newest operation lies in the future: nobody can write before");
  }
  bool whole = true;
  while (true) {
    inspect_entries(inspection, object, at.updates, later);
    if (!at.repo_before_updates) break;
    object = backup_key(*at.repo_before_updates).value();
    if (!seen.insert(object).second) {
      inspection.damage(object, "the operations log goes round in a ring");
      return {};
    }
    if (!inspection.exists(object_store::Key(object))) {
      inspection.unusual(object, "the operations log goes on here, but it does not exist");
      whole = false;
      break;
    }
    TRY_ASSIGN(const auto older, inspection.bytes_of(object_store::Key(object)));
    if (!older) return {};
    auto decoded = decode_repo_info(*older);
    if (!decoded) {
      inspection.damage(object, decoded.error().message());
      return {};
    }
    inspection.tell_deviations(object, *older, FileType::kRepo);
    at = *std::move(decoded);
    inspection.migrated = inspection.migrated || std::ranges::any_of(at.updates, is_migration);
  }
  if (whole && !inspection.migrated &&
      !std::holds_alternative<update::RepoInitialized>(at.updates.back().kind)) {
    inspection.unusual(object, "the operations log does not begin with the creation");
  }
  return {};
}

}  // namespace icefield::icechunk
