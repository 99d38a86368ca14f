#pragma once

#include <optional>
#include <string>

#include "core/json.h"
#include "core/result.h"
#include "core/time.h"
#include "dataset/plan.h"
#include "icechunk/commit/repository.h"
#include "icechunk/format/ids.h"
#include "icechunk/format/metadata.h"

namespace icefield::coordination {

/// What a job was asked to do, as kept in the metadata of each of its commits, so that a run that
/// goes on can tell whether it is the same job.
struct JobRecord {
  core::Timestamp append_dim_end;
  dataset::Filters filters;
  bool overwrite_chunks = false;
  bool overwrite_metadata = false;
};

/// The record as commit metadata (member `icefield_job`).
icechunk::Metadata to_metadata(const JobRecord& record);

/// Where a job's branch stands.
struct BranchState {
  icechunk::SnapshotId original;  // where it left main: their newest common ancestor
  icechunk::SnapshotId tip;
  std::optional<core::Json> record;  // of the newest commit that has one
};

/// Errors: kNotFound when there is no such branch; those of the repository.
core::Result<BranchState> branch_state(const icechunk::Repository& repository,
                                       const std::string& branch);

/// Errors: kConflict, saying what to do, when the record is of another job.
core::Status check_same_job(const BranchState& state, const JobRecord& wanted,
                            const std::string& store);

}  // namespace icefield::coordination
