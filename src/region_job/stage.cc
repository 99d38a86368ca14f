#include "region_job/stage.h"

#include <utility>

#include "core/text.h"
#include "region_job/presence.h"

namespace icefield::region_job {

using core::Error;
using core::ErrorCode;

core::Result<std::vector<zarr::ChunkIndex>> Batch::resolve(const ReadyFile& ready) const {
  const auto location = dataset::out_loc(spec_, ready.file);
  std::vector<zarr::ChunkIndex> indices;
  indices.reserve(ready.references.references.size());
  for (const auto& reference : ready.references.references) {
    TRY_ASSIGN(auto index, resolver_.chunk_index(reference.match, location));
    if (!index) {
      return Error(ErrorCode::kInvalidArgument,
                   core::text(spec_.virtual_source->get_url(spec_, ready.file),
                              ": not on the coordinates of ",
                              dataset::path_of(spec_, spec_.variables[reference.match.variable])));
    }
    indices.push_back(*std::move(index));
  }
  return indices;
}

core::Status Batch::check_covered(const ReadyFile& ready,
                                  std::span<const zarr::ChunkIndex> indices) const {
  TRY_ASSIGN(const auto probe, probe_of(spec_, resolver_, ready.file, variables_));
  const auto& references = ready.references.references;
  for (std::size_t i = 0; i < references.size(); ++i) {
    if (references[i].match.variable == probe.variable && indices[i] == probe.index) return {};
  }
  return Error(
      ErrorCode::kCorrupt,
      core::text(spec_.virtual_source->get_url(spec_, ready.file), ": its index lacks ",
                 resolver_.store_key(probe.variable, probe.index),
                 ", by which the file would be recognised; it would be ingested again "
                 "forever; correct the index, or leave its position out with the filters"));
}

core::Status Batch::add(const ReadyFile& ready) {
  TRY_ASSIGN(const auto indices, resolve(ready));
  TRY(check_covered(ready, indices));
  const auto url = spec_.virtual_source->get_url(spec_, ready.file);
  auto location = dataset::stored_location(*spec_.virtual_config, url);
  if (!location) {
    return Error(ErrorCode::kInvalidArgument, url + " is in none of the dataset's containers");
  }
  const auto number = static_cast<std::uint32_t>(files_.size());
  files_.push_back({.location = *std::move(location), .identity = ready.identity});
  const auto& references = ready.references.references;
  for (std::size_t i = 0; i < references.size(); ++i) {
    auto& array = arrays_[references[i].match.variable];
    const auto& positions = indices[i].value();
    array.indices.insert(array.indices.end(), positions.begin(), positions.end());
    array.files.push_back(number);
    array.offsets.push_back(references[i].range.offset);
    array.lengths.push_back(references[i].range.length);
  }
  references_ += references.size();
  return {};
}

core::Status Batch::stage(icechunk::Session& session) const {
  std::vector<icechunk::LocationNumber> numbers;
  numbers.reserve(files_.size());
  for (const auto& file : files_) {
    TRY_ASSIGN(const auto number, session.add_location(file.location, file.identity));
    numbers.push_back(number);
  }
  for (std::size_t variable = 0; variable < arrays_.size(); ++variable) {
    const auto& array = arrays_[variable];
    if (array.files.empty()) continue;
    std::vector<icechunk::LocationNumber> locations;
    locations.reserve(array.files.size());
    for (const auto file : array.files) locations.push_back(numbers[file]);
    TRY(session.set_virtual_references("/" + dataset::path_of(spec_, spec_.variables[variable]),
                                       {.indices = array.indices,
                                        .locations = locations,
                                        .offsets = array.offsets,
                                        .lengths = array.lengths}));
  }
  return {};
}

}  // namespace icefield::region_job
