#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "coordination/job_record.h"
#include "core/progress.h"
#include "core/result.h"
#include "dataset/guards.h"
#include "dataset/spec.h"
#include "icechunk/format/ids.h"
#include "object_store/object_store.h"
#include "region_job/virtual_job.h"
#include "source/catalog.h"

namespace icefield::coordination {

/// A backfill in this process alone, worker 0 of 1, job name `local`.
struct LocalBackfill {
  const dataset::DatasetSpec& spec;
  std::shared_ptr<object_store::ObjectStore> store;  // its root is the Icechunk repository's
  JobRecord job;                                     // what is asked for
  bool recreate = false;                             // remove an existing store first
  std::vector<source::SourceOverride> sources;
  dataset::AppendChunks append_chunks = dataset::AppendChunks::kCompared;
  region_job::VirtualOptions options;
};

struct BackfillResult {
  icechunk::SnapshotId snapshot;  // what main shows now
  std::uint64_t append_size = 0;  // positions of the append dimension that it holds
  bool resumed = false;           // an interrupted run was gone on with
  region_job::VirtualReport files;
};

/// Fills a store with what the source holds: works on the branch `_job_local` and moves main once.
/// Goes on when that branch of an interrupted run exists. Otherwise an existing store is refused
/// unless the job says overwrite_chunks, overwrite_metadata or recreate is set. A tail of
/// positions for which nothing exists at the source is not published by a first run.
///
/// Errors, with nothing changed: kInvalidArgument for arguments outside the dataset, contradicting
/// options or a template that may not be written over the store; kConflict for a store that
/// exists, or an unfinished run of another job; kCorrupt for one that cannot be read; kNotFound
/// when the source holds none of the expected files. Afterwards: those of the repository; what was
/// committed on the branch stays, main shows the state before.
core::Result<BackfillResult> run_local_backfill(const LocalBackfill& backfill,
                                                core::Progress& progress);

}  // namespace icefield::coordination
