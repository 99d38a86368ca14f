#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/json.h"
#include "core/result.h"
#include "icechunk/format/chunk_grid.h"
#include "icechunk/format/snapshot.h"

namespace icefield::icechunk {

/// Which arrays a rule is for.
struct ArrayCondition {
  enum class Kind : std::uint8_t { kOr, kAnd, kPathMatches, kNameMatches, kAny };
  Kind kind = Kind::kAny;
  std::vector<ArrayCondition> parts = {};  // of kOr and kAnd
  std::string regex = {};  // of kPathMatches (whole path) and kNameMatches (last segment)
  friend bool operator==(const ArrayCondition&, const ArrayCondition&) = default;
};

/// Which axis a size is for.
struct AxisCondition {
  enum class Kind : std::uint8_t { kAxis, kDimensionName, kAny };
  Kind kind = Kind::kAny;
  std::uint64_t axis = 0;  // of kAxis
  std::string regex = {};  // of kDimensionName; never matches an unnamed dimension
  friend bool operator==(const AxisCondition&, const AxisCondition&) = default;
};

struct SplitSize {
  AxisCondition condition = {};
  std::uint32_t num_chunks = 0;  // window length along the axis, in chunks
  friend bool operator==(const SplitSize&, const SplitSize&) = default;
};

struct SplitRule {
  ArrayCondition condition = {};
  std::vector<SplitSize> sizes =
      {};  // in order: the first whose condition matches settles the axis
  friend bool operator==(const SplitRule&, const SplitRule&) = default;
};

/// In order: an axis settled by an earlier rule stays so (docs/formats/icechunk.md, Splitting).
using SplittingRules = std::vector<SplitRule>;

/// The JSON of manifest.splitting <-> rules. Errors: kCorrupt, saying where.
core::Result<SplittingRules> splitting_from_json(const core::Json& splitting);
core::Json splitting_to_json(const SplittingRules& rules);

/// The windows of one array: along axis d the edges are 0, sizes[d], 2 sizes[d], ...,
/// num_chunks[d].
struct Windows {
  std::vector<std::uint32_t> num_chunks = {};  // per axis
  std::vector<std::uint32_t> sizes = {};       // per axis, at least 1

  /// How many windows there are; 0 when an axis has no chunks; 1 for a scalar.
  std::uint64_t count() const;

  /// The number of the window of a position, row by row. Precondition: inside the grid.
  std::uint64_t number_of(ChunkIndexView index) const;

  /// The box of window `number` < count(); without ranges for a scalar.
  ChunkBox box(std::uint64_t number) const;
};

/// Rules with their regular expressions compiled once. One that does not compile never matches.
/// Immutable; any threads.
class Splitter {
 public:
  explicit Splitter(const SplittingRules& rules);
  Splitter(Splitter&&) noexcept;
  Splitter& operator=(Splitter&&) noexcept;
  Splitter(const Splitter&) = delete;
  Splitter& operator=(const Splitter&) = delete;
  ~Splitter();

  Windows windows(std::string_view path, const ArrayData& array) const;

 private:
  class Impl;
  std::unique_ptr<const Impl> impl_;
};

}  // namespace icefield::icechunk
