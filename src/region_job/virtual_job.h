#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/progress.h"
#include "core/result.h"
#include "dataset/chunk_resolver.h"
#include "dataset/plan.h"
#include "dataset/source_file.h"
#include "dataset/spec.h"
#include "grib/index/verify.h"
#include "icechunk/commit/repository.h"
#include "icechunk/format/metadata.h"
#include "region_job/report.h"
#include "source/catalog.h"
#include "source/discovery.h"

namespace icefield::region_job {

struct VirtualOptions {
  grib::VerifyOptions verify;           // how much of each index is checked (--verify-index)
  bool record_source_identity = false;  // store entity tag or time of change with references
  bool rewrite = false;                 // reference files again that are there already
  std::size_t download_concurrency = 64;
  std::uint64_t references_per_commit = 8'000'000;  // a commit holds whole files, at least one
  icechunk::Metadata commit_metadata;               // of every commit
};

/// One worker's part of a virtual backfill. Everything is lent for the call.
struct VirtualJob {
  const dataset::DatasetSpec& spec;
  const dataset::ChunkResolver& resolver;
  const source::Catalog& catalog;
  const icechunk::Repository& repository;
  std::string branch;                                 // commits go there
  std::span<const dataset::VariableIndex> variables;  // what the job publishes
};

/// Every file that the regions expect, in order.
std::vector<dataset::SourceFile> list_expected(const dataset::DatasetSpec& spec,
                                               std::span<const dataset::Region> regions,
                                               std::span<const dataset::VariableIndex> variables);

/// Publishes what exists at the source as chunk references on the job's branch: one sweep over the
/// expected files, in which files that the branch holds already are left alone, and one commit
/// (more only past references_per_commit). Whole files only; nothing new, no commit. Running it
/// again commits what is still missing. `discovery` is about `expected`.
/// Errors: those of the repository; kCorrupt when a file lacks its own probe. Files that
/// cannot be used are no errors: they are in the report.
core::Result<VirtualReport> run_virtual(const VirtualJob& job,
                                        std::span<const dataset::SourceFile> expected,
                                        const source::Discovery& discovery,
                                        const VirtualOptions& options, core::Progress& progress);

}  // namespace icefield::region_job
