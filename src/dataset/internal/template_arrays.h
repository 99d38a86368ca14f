#pragma once

#include "core/result.h"
#include "dataset/spec.h"
#include "zarr/metadata/array_metadata.h"

namespace icefield::dataset {

/// The document of a coordinate (docs/formats/zarr.md, kinds of arrays).
zarr::ArrayMetadata coordinate_array(const DatasetSpec& spec, const Coordinate& coordinate,
                                     std::uint64_t append_size);

/// The document of a data variable, virtual or materialized.
zarr::ArrayMetadata variable_array(const DatasetSpec& spec, const Variable& variable,
                                   std::uint64_t append_size);

/// The attributes of every group.
core::Json group_attributes(const DatasetSpec& spec);

}  // namespace icefield::dataset
