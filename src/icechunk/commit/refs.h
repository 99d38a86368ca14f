#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/json.h"
#include "core/result.h"
#include "icechunk/commit/repository.h"

// Changes of a repository that are no commits. Each replaces `repo` once, atomically, with its
// entry in the operations log; unrelated changes by others at the same time are kept. An answer
// that got lost is looked up before anything is decided, so each happens once.
// Errors beside those named: as Repository; kUnavailable when the race was lost too often.

namespace icefield::icechunk {

/// Errors: kConflict: the name is taken; kNotFound: the snapshot is unknown.
core::Status create_branch(const Repository& repository, std::string_view name,
                           const SnapshotId& at);

/// Errors: kNotFound; kInvalidArgument for main.
core::Status delete_branch(const Repository& repository, std::string_view name);

/// Moves a branch to any known snapshot: compare-and-set when `expected_tip` is given.
/// Errors: kNotFound: branch or snapshot; kConflict: the tip is not `expected_tip`.
core::Status reset_branch(const Repository& repository, std::string_view name, const SnapshotId& to,
                          const std::optional<SnapshotId>& expected_tip);

/// Errors: kConflict: the name is, or ever was, a tag; kNotFound: the snapshot is unknown.
core::Status create_tag(const Repository& repository, std::string_view name, const SnapshotId& at);

/// The name can never be used again. Errors: kNotFound.
core::Status delete_tag(const Repository& repository, std::string_view name);

/// Persists a configuration in place of the present one; does nothing when it is equal.
core::Status save_config(const Repository& repository, const RepositoryConfig& config);

/// Replaces the metadata of the repository itself.
core::Status set_repository_metadata(const Repository& repository, const Metadata& metadata);

/// Sets availability; works in every state. `reason` is for kReadOnly.
core::Status set_status(const Repository& repository, Availability availability,
                        const std::optional<std::string>& reason);

/// `value` absent: back to the default. Errors: kInvalidArgument for a flag nobody knows.
core::Status set_feature_flag(const Repository& repository, std::uint16_t flag,
                              std::optional<bool> value);

}  // namespace icefield::icechunk
