#pragma once

#include <string>

#include "coordination/job_record.h"
#include "core/result.h"
#include "icechunk/commit/repository.h"

namespace icefield::coordination {

/// Makes a job's branch the published state: moves `main` from where the job started to the
/// branch's tip, in one compare-and-set, then deletes the branch. When an earlier attempt has moved
/// main already, only the branch is deleted. Returns the published snapshot.
/// Errors: kConflict when main moved meanwhile: nothing is changed, both branches stay.
core::Result<icechunk::SnapshotId> publish(const icechunk::Repository& repository,
                                           const std::string& branch);

}  // namespace icefield::coordination
