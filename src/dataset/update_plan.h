#pragma once

#include "core/result.h"
#include "core/time.h"
#include "dataset/plan.h"
#include "dataset/spec.h"

namespace icefield::dataset {

/// When a job stops: after one sweep over what exists, or once everything expected is ingested.
enum class ProcessingMode : std::uint8_t { kBackfill, kUpdate };

/// What one operational update works on.
struct UpdateJobs {
  ProcessingMode mode = ProcessingMode::kUpdate;
  Plan plan;  // exactly one region: the recent, still incomplete span; every variable
};

/// The work of the update that was due at `fire_time`: positions with labels in
/// [fire_time - operational_update_window, fire_time). It follows from the scheduled time alone, so
/// that every pod of one fire does the same work.
/// Errors: kInvalidArgument for a dataset without an update window, and when no position lies in
/// the window.
core::Result<UpdateJobs> operational_update_jobs(const DatasetSpec& spec,
                                                 core::Timestamp fire_time);

}  // namespace icefield::dataset
