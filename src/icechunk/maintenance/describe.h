#pragma once

#include "core/json.h"
#include "core/result.h"
#include "icechunk/commit/repository.h"

namespace icefield::icechunk {

/// Everything a reader should find in a repository, in a form that other programs can compare:
/// spec version, refs, every snapshot with its nodes and references, operations, metadata,
/// configuration (null for spec version 1, where it is no part of what is versioned). Snapshots
/// that a ref points to show their documents and up to 256 references of an array in full, else the
/// first and last three; the others by SHA-256 of the same text that Python's
/// json.dumps(references, sort_keys=True) gives. Holds the whole picture in memory: for
/// repositories that a person would look at.
core::Result<core::Json> describe(const Repository& repository);

}  // namespace icefield::icechunk
