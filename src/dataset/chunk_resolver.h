#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/result.h"
#include "dataset/source_file.h"
#include "dataset/template.h"
#include "zarr/chunk_grid.h"

namespace icefield::dataset {

/// From coordinate labels to the chunk of a variable: the one place where this is decided, so that
/// looking for a reference and writing it cannot disagree. Any thread may use it.
class ChunkResolver {
 public:
  /// Geometry and key encodings come from the template's documents, labels from the spec.
  /// Errors: kInvalidArgument when the template lacks a variable of the spec.
  static core::Result<ChunkResolver> make(const DatasetSpec& spec, const Template& from);

  ChunkResolver(ChunkResolver&& other) noexcept;
  ChunkResolver& operator=(ChunkResolver&& other) noexcept;
  ChunkResolver(const ChunkResolver&) = delete;
  ChunkResolver& operator=(const ChunkResolver&) = delete;
  ~ChunkResolver();

  /// The chunk of `variable` at these labels; nothing when a label is not on its coordinate ("not
  /// present yet").
  /// Errors: kInvalidArgument when a label does not fall on a chunk border, or a dimension of
  /// several chunks has no label ("a virtual chunk must be exactly one message").
  core::Result<std::optional<zarr::ChunkIndex>> chunk_index(VariableIndex variable,
                                                            const OutLoc& location) const;

  /// The chunk of a match of a file whose cell is `location`: as chunk_index with the level of the
  /// match added.
  core::Result<std::optional<zarr::ChunkIndex>> chunk_index(const Match& match,
                                                            const OutLoc& location) const;

  /// The whole key in the store, by the array's own encoding: "temperature_2m/c/10302/0/0/0".
  std::string store_key(VariableIndex variable, const zarr::ChunkIndex& index) const;

 private:
  struct State;
  explicit ChunkResolver(std::unique_ptr<const State> state);
  std::unique_ptr<const State> state_;
};

}  // namespace icefield::dataset
