#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "core/time.h"
#include "icechunk/format/ids.h"

namespace icefield::icechunk {

enum class Availability : std::uint8_t { kOnline = 0, kReadOnly = 1, kOffline = 2 };

struct RepoStatus {
  Availability availability = Availability::kOnline;  // kOffline counts as online
  core::Instant set_at = {};
  std::optional<std::string> reason = {};  // why it is limited
  friend bool operator==(const RepoStatus&, const RepoStatus&) = default;
};

// The operations that a log entry can tell of. Each replacement of repo adds exactly one.
namespace update {
struct RepoInitialized {
  friend bool operator==(const RepoInitialized&, const RepoInitialized&) = default;
};
struct RepoMigrated {
  std::uint8_t from = 0;
  std::uint8_t to = 0;
  friend bool operator==(const RepoMigrated&, const RepoMigrated&) = default;
};
struct ConfigChanged {
  friend bool operator==(const ConfigChanged&, const ConfigChanged&) = default;
};
struct MetadataChanged {
  friend bool operator==(const MetadataChanged&, const MetadataChanged&) = default;
};
struct TagCreated {
  std::string name = {};
  friend bool operator==(const TagCreated&, const TagCreated&) = default;
};
struct TagDeleted {
  std::string name = {};
  SnapshotId previous = {};
  friend bool operator==(const TagDeleted&, const TagDeleted&) = default;
};
struct BranchCreated {
  std::string name = {};
  friend bool operator==(const BranchCreated&, const BranchCreated&) = default;
};
struct BranchDeleted {
  std::string name = {};
  SnapshotId previous = {};
  friend bool operator==(const BranchDeleted&, const BranchDeleted&) = default;
};
struct BranchReset {
  std::string name = {};
  SnapshotId previous = {};
  friend bool operator==(const BranchReset&, const BranchReset&) = default;
};
struct NewCommit {
  std::string branch = {};
  SnapshotId made = {};
  friend bool operator==(const NewCommit&, const NewCommit&) = default;
};
struct CommitAmended {
  std::string branch = {};
  SnapshotId previous = {};
  SnapshotId made = {};
  friend bool operator==(const CommitAmended&, const CommitAmended&) = default;
};
struct NewDetachedSnapshot {
  SnapshotId made = {};
  friend bool operator==(const NewDetachedSnapshot&, const NewDetachedSnapshot&) = default;
};
struct GcRan {
  friend bool operator==(const GcRan&, const GcRan&) = default;
};
struct ExpirationRan {
  friend bool operator==(const ExpirationRan&, const ExpirationRan&) = default;
};
struct FeatureFlagChanged {
  std::uint16_t flag = 0;
  bool value = false;
  bool is_set = false;
  friend bool operator==(const FeatureFlagChanged&, const FeatureFlagChanged&) = default;
};
struct RepoStatusChanged {
  RepoStatus status = {};
  friend bool operator==(const RepoStatusChanged&, const RepoStatusChanged&) = default;
};
}  // namespace update

/// In the order of their numbers on the wire, from 1.
using UpdateKind = std::variant<
    update::RepoInitialized, update::RepoMigrated, update::ConfigChanged, update::MetadataChanged,
    update::TagCreated, update::TagDeleted, update::BranchCreated, update::BranchDeleted,
    update::BranchReset, update::NewCommit, update::CommitAmended, update::NewDetachedSnapshot,
    update::GcRan, update::ExpirationRan, update::FeatureFlagChanged, update::RepoStatusChanged>;

/// One line of the operations log.
struct Update {
  UpdateKind kind = {};
  core::Instant at = {};
  /// The backup that holds the state right after this operation; absent on the newest entry.
  std::optional<std::string> backup = {};
  friend bool operator==(const Update&, const Update&) = default;
};

}  // namespace icefield::icechunk
