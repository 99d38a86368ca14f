#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "icechunk/format/chunk_grid.h"
#include "icechunk/format/snapshot.h"

namespace icefield::icechunk {

/// Finds boxes among the manifests of one array without walking all of them: sorted by where they
/// begin along the first dimension. Refers to the list it was made from.
class BoxIndex {
 public:
  explicit BoxIndex(std::span<const ManifestRef> manifests);

  /// Position in the list of the first manifest whose box holds `index`: the one that readers
  /// look into, and no other.
  std::optional<std::size_t> find(ChunkIndexView index) const;

  /// Positions in the list of all manifests whose boxes meet `box`, ascending.
  std::vector<std::size_t> meeting(const ChunkBox& box) const;

 private:
  struct Entry {
    std::uint32_t from = 0;     // along the first dimension
    std::uint32_t reaches = 0;  // the greatest `to` of this and all earlier entries
    std::size_t at = 0;         // position in the list
  };

  /// Entries whose box may hold positions [from, to) of the first dimension: calls visit(at).
  template <typename Visit>
  void candidates(std::uint32_t from, std::uint32_t to, const Visit& visit) const;

  std::span<const ManifestRef> manifests_;
  std::vector<Entry> entries_;  // ascending by from
};

}  // namespace icefield::icechunk
