#pragma once

#include <span>
#include <vector>

#include "core/result.h"
#include "dataset/chunk_resolver.h"
#include "dataset/source_file.h"
#include "dataset/spec.h"
#include "icechunk/session/session.h"
#include "zarr/chunk_grid.h"

namespace icefield::region_job {

/// The one chunk whose reference stands for a whole file: files are committed whole.
struct Probe {
  dataset::VariableIndex variable = 0;
  zarr::ChunkIndex index;
};

/// The probe of a file. Errors: kInvalidArgument when the file carries none of `variables`, or
/// its labels are not on the dataset's coordinates.
core::Result<Probe> probe_of(const dataset::DatasetSpec& spec,
                             const dataset::ChunkResolver& resolver,
                             const dataset::SourceFile& file,
                             std::span<const dataset::VariableIndex> variables);

/// Which files the session's manifests hold already, from their probes alone: no chunk is read.
/// An array that the store does not have, or a position past its extent, counts as not present.
core::Result<std::vector<bool>> filter_already_present(
    const dataset::DatasetSpec& spec, const dataset::ChunkResolver& resolver,
    std::span<const dataset::SourceFile> files, std::span<const dataset::VariableIndex> variables,
    const icechunk::Session& session);

}  // namespace icefield::region_job
