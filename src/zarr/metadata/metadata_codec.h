#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "core/result.h"
#include "zarr/metadata/array_metadata.h"
#include "zarr/metadata/group_metadata.h"

namespace icefield::zarr {

using NodeMetadata = std::variant<GroupMetadata, ArrayMetadata>;

/// Reads a zarr.json (docs/formats/zarr.md, documents).
/// Errors: kCorrupt when the text is no such document (the message names the member);
///         kUnsupported for a data type, grid, key encoding, storage transformer or member that
///         must be understood and is not.
core::Result<NodeMetadata> read_metadata(std::string_view text);
core::Result<ArrayMetadata> read_array_metadata(std::string_view text);
core::Result<GroupMetadata> read_group_metadata(std::string_view text);

/// The document's text: members in the order that zarr-python writes, indented by 2, ASCII, no
/// final newline. Equal values give equal bytes.
std::string write_metadata(const ArrayMetadata& array);
std::string write_metadata(const GroupMetadata& group);
std::string write_metadata(const NodeMetadata& node);

}  // namespace icefield::zarr
