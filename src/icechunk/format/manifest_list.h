#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "icechunk/format/chunk_grid.h"
#include "icechunk/format/ids.h"

namespace icefield::icechunk {

/// Chunks of the array inside `extents` are looked up in manifest `id`, and nowhere else.
struct ManifestRef {
  ManifestId id = {};
  ChunkBox extents = {};
  friend bool operator==(const ManifestRef&, const ManifestRef&) = default;
};

/// The manifests of one array, in the order in which readers try their boxes. Immutable and
/// shared, because a commit carries hundreds of arrays over with the same list: copying costs a
/// counter. To change one, copy refs(), change that, assign it. A contiguous range.
class ManifestList {
 public:
  ManifestList() = default;
  ManifestList(std::vector<ManifestRef> refs)  // NOLINT: implicit, to assign a vector
      : refs_(refs.empty() ? nullptr
                           : std::make_shared<const std::vector<ManifestRef>>(std::move(refs))) {}

  const std::vector<ManifestRef>& refs() const noexcept {
    static const std::vector<ManifestRef> none;
    return refs_ ? *refs_ : none;
  }
  auto begin() const noexcept { return refs().begin(); }
  auto end() const noexcept { return refs().end(); }
  std::size_t size() const noexcept { return refs().size(); }
  bool empty() const noexcept { return refs_ == nullptr; }
  const ManifestRef& operator[](std::size_t at) const { return refs()[at]; }

  friend bool operator==(const ManifestList& left, const ManifestList& right) {
    return left.refs_ == right.refs_ || left.refs() == right.refs();
  }

 private:
  std::shared_ptr<const std::vector<ManifestRef>> refs_;  // null: empty
};

}  // namespace icefield::icechunk
