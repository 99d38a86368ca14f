#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/result.h"
#include "dataset/guards.h"
#include "dataset/spec.h"
#include "dataset/template.h"
#include "icechunk/session/session.h"

namespace icefield::region_job {

/// A template node's path in a store: "/" for the root, "/pressure_level/temperature".
std::string store_path(std::string_view template_path);

/// Writes the template's documents, parents first, and its coordinate chunks into the session.
/// What the session holds already, byte for byte, is left alone, so that writing an unchanged
/// template changes nothing. Chunks of data arrays are never touched.
core::Status write_tree(icechunk::Session& session, const dataset::Template& tree,
                        std::span<const dataset::CoordinateChunk> chunks);

/// The arrays of a store, and the values of its coordinates along `dataset`'s dimensions other
/// than the append one. Errors: kCorrupt, naming the path.
core::Result<dataset::TreeStructure> read_structure(const icechunk::Session& session,
                                                    const dataset::DatasetSpec& spec);

/// The same of a template.
core::Result<dataset::TreeStructure> structure_of(const dataset::Template& tree,
                                                  std::span<const dataset::CoordinateChunk> chunks,
                                                  const dataset::DatasetSpec& spec);

/// Positions of the append dimension that a store holds; nothing when it has no such coordinate.
/// Errors: kCorrupt when groups disagree ("requires manual repair").
core::Result<std::optional<std::uint64_t>> committed_append_size(const icechunk::Session& session,
                                                                 const dataset::DatasetSpec& spec);

}  // namespace icefield::region_job
