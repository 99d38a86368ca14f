#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "icechunk/session/location_table.h"

namespace icefield::icechunk {

/// References into source objects for many chunks of one array, column by column; element i of
/// every column belongs to reference i. Only lent: staging copies what it needs.
struct VirtualReferences {
  std::span<const std::uint32_t> indices;     // size() * rank numbers: chunk positions, flattened
  std::span<const LocationNumber> locations;  // from Session::add_location of the same session
  std::span<const std::uint64_t> offsets;     // bytes from the start of the source object
  std::span<const std::uint64_t> lengths;     // bytes, never 0

  std::size_t size() const noexcept { return locations.size(); }
};

}  // namespace icefield::icechunk
