#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/bytes.h"
#include "core/result.h"
#include "zarr/metadata/array_metadata.h"

namespace icefield::dataset {

/// What a guard needs to know of a tree: its arrays, and the values (C order, little-endian) of
/// the dimension coordinates other than the append one.
struct TreeStructure {
  std::map<std::string, zarr::ArrayMetadata> arrays;    // by path
  std::map<std::string, core::Bytes> dimension_values;  // by path of the coordinate
};

/// Whether sizes of chunks and shards along the append dimension must agree (dev and prod) or may
/// differ (test).
enum class AppendChunks : std::uint8_t { kCompared, kIgnored };

/// What the caller of an overwrite asked for.
struct OverwriteRequest {
  bool chunks = false;               // --overwrite-chunks
  bool metadata = false;             // --overwrite-metadata
  bool explicit_append_end = false;  // an end was given by hand
};

/// Every difference that makes an update unsafe, one line each; empty when there is none
/// (docs/formats/zarr.md, guards). New arrays in `wanted` are allowed.
std::vector<std::string> structure_mismatches(const TreeStructure& existing,
                                              const TreeStructure& wanted,
                                              const std::string& append_dimension,
                                              AppendChunks append_chunks);

/// Errors: kInvalidArgument with every mismatch, when there is one.
core::Status check_update_structure(const TreeStructure& existing, const TreeStructure& wanted,
                                    const std::string& append_dimension,
                                    AppendChunks append_chunks);

/// Refuses a template shorter than what is published. Errors: kInvalidArgument listing the groups
/// with both sizes.
core::Status check_no_retraction(const TreeStructure& existing, const TreeStructure& wanted,
                                 const std::string& append_dimension);

/// Refuses to write the template over an existing store unless that is safe and asked for.
/// Errors: kInvalidArgument with one bullet per problem.
core::Status check_overwrite(const TreeStructure& existing, const TreeStructure& wanted,
                             const std::string& append_dimension, AppendChunks append_chunks,
                             const OverwriteRequest& request);

}  // namespace icefield::dataset
