#include "icechunk/format/internal/manifest_block.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

namespace icefield::icechunk::internal {
namespace {

// The vtable of ManifestRef (schemas/icechunk/snapshot.fbs): its own size, the table's, and where
// in the table object_id and extents stand.
constexpr std::uint16_t kVtable[] = {8, 20, 8, 4};
constexpr std::size_t kTableSize = 20;  // to the vtable 4, to the extents 4, id 12

void put_u32(std::string& block, std::size_t at, std::size_t value) {
  const auto number = static_cast<std::uint32_t>(value);
  std::memcpy(block.data() + at, &number, sizeof(number));
}

}  // namespace

std::string manifest_block(const ManifestList& manifests) {
  const std::size_t vtable = 4 + 4 * manifests.size();
  std::size_t size = vtable + sizeof(kVtable);
  for (const ManifestRef& ref : manifests) {
    size += kTableSize + 4 + ref.extents.rank() * sizeof(ChunkRange);
  }
  std::string block(size, '\0');
  put_u32(block, 0, manifests.size());
  std::memcpy(block.data() + vtable, kVtable, sizeof(kVtable));
  std::size_t entry = 4;
  std::size_t table = vtable + sizeof(kVtable);
  for (const ManifestRef& ref : manifests) {
    const auto ranges = ref.extents.ranges();
    const std::size_t extents = table + kTableSize;
    put_u32(block, entry, table - entry);
    put_u32(block, table, table - vtable);
    put_u32(block, table + 4, extents - (table + 4));
    std::memcpy(block.data() + table + 8, ref.id.bytes().data(), ManifestId::kSize);
    put_u32(block, extents, ranges.size());
    if (!ranges.empty())
      std::memcpy(block.data() + extents + 4, ranges.data(), ranges.size_bytes());
    entry += 4;
    table = extents + 4 + ranges.size_bytes();
  }
  return block;
}

}  // namespace icefield::icechunk::internal
