#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/bytes.h"
#include "core/result.h"
#include "dataset/region.h"
#include "dataset/spec.h"
#include "zarr/chunk_grid.h"
#include "zarr/metadata/metadata_codec.h"

namespace icefield::dataset {

/// One node of the dataset's tree.
struct TemplateNode {
  std::string path;  // "" for the root, else "group", "array" or "group/array"
  zarr::NodeMetadata metadata;
};

/// The dataset's tree for one length of the append dimension.
struct Template {
  std::uint64_t append_size = 0;
  std::vector<TemplateNode> nodes;  // parents before children: the root, then by path
};

/// One encoded chunk of a coordinate; several arrays (one per group) share it.
struct CoordinateChunk {
  std::vector<std::string> array_paths;
  zarr::ChunkIndex index;
  core::Bytes bytes;
};

/// The tree as the code declares it (what update-template writes).
/// Errors: kInvalidArgument when the declarations contradict each other.
core::Result<Template> generate_template(const DatasetSpec& spec, std::uint64_t append_size);

/// The checked-in tree, expanded to `append_size` positions.
/// Errors: kInvalidArgument when its dataset_id or dataset_version is not the code's ("run
/// update-template"), or there is none; kCorrupt.
core::Result<Template> get_template(const DatasetSpec& spec, std::uint64_t append_size);

/// Every chunk of every coordinate, those that the template leaves all missing excepted.
/// Errors: kInvalidArgument when PROJ cannot set up the projection.
core::Result<std::vector<CoordinateChunk>> coordinate_chunks(const DatasetSpec& spec,
                                                             std::uint64_t append_size);

/// The chunks of coordinates along the append dimension that hold any of these positions, for a
/// dataset that ends with the last of them.
core::Result<std::vector<CoordinateChunk>> growing_coordinate_chunks(const DatasetSpec& spec,
                                                                     const Region& positions);

/// What changes when the append dimension grows from `from` to `to` positions.
struct AppendSlice {
  std::vector<TemplateNode> nodes;      // the arrays along the append dimension, at their new shape
  std::vector<CoordinateChunk> chunks;  // of coordinates along it, that hold positions >= from
};

/// Arrays without the append dimension are left out: they are as they were.
core::Result<AppendSlice> append_slice(const DatasetSpec& spec, std::uint64_t from,
                                       std::uint64_t to);

/// A file of the checked-in template and its content.
struct TemplateFile {
  std::string name;  // relative: "pressure_level/temperature/zarr.json", "coordinates.sha256"
  std::string content;
};

/// The files of the checked-in template as the code declares it, sorted by name.
core::Result<std::vector<TemplateFile>> template_files(const DatasetSpec& spec);

/// Writes them below `folder` (made if absent) and removes documents that are no longer declared.
core::Status write_template(const DatasetSpec& spec, const std::filesystem::path& folder);

}  // namespace icefield::dataset
