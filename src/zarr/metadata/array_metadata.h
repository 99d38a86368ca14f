#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/json.h"
#include "zarr/chunk_grid.h"
#include "zarr/chunk_key.h"
#include "zarr/data_type.h"
#include "zarr/fill_value.h"
#include "zarr/metadata/extension.h"

namespace icefield::zarr {

/// The document of one array (zarr.json, node_type "array").
struct ArrayMetadata {
  Shape shape;
  DataType data_type = DataType::kFloat64;
  Shape chunk_shape;  // of the regular grid; for sharded arrays the shard's shape
  ChunkKeyEncoding chunk_key_encoding;
  FillValue fill_value;
  std::vector<Extension> codecs;                   // in the order of encoding
  core::Json attributes = core::Json::object({});  // members in document order, none dropped
  std::optional<std::vector<std::optional<std::string>>> dimension_names;
  core::Json others = core::Json::object({});  // members that may be ignored, kept as read
  friend bool operator==(const ArrayMetadata&, const ArrayMetadata&) = default;
};

}  // namespace icefield::zarr
