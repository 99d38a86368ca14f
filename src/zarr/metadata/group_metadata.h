#pragma once

#include <optional>

#include "core/json.h"

namespace icefield::zarr {

/// The document of one group (zarr.json, node_type "group").
struct GroupMetadata {
  core::Json attributes = core::Json::object({});  // members in document order, none dropped
  std::optional<core::Json> consolidated;          // `consolidated_metadata`, kept as read
  core::Json others = core::Json::object({});      // members that may be ignored, kept as read
  friend bool operator==(const GroupMetadata&, const GroupMetadata&) = default;
};

}  // namespace icefield::zarr
