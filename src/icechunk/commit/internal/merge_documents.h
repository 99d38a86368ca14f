#pragma once

#include <cstddef>
#include <span>

#include "core/bytes.h"
#include "core/result.h"

namespace icefield::icechunk {

/// Joins two later states of one zarr.json: everything as in `theirs`, but each extent the larger
/// of both. Where that is the very content of one of the two, its bytes come back unchanged.
/// Errors: kConflict, naming the member, when anything else than shape and attributes differs;
///         kCorrupt for documents that are no JSON objects.
core::Result<core::Bytes> merge_documents(std::span<const std::byte> ours,
                                          std::span<const std::byte> theirs);

}  // namespace icefield::icechunk
