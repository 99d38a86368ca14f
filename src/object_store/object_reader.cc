#include "object_store/object_reader.h"

#include <algorithm>
#include <utility>

#include "core/text.h"

namespace icefield::object_store {

core::Result<std::unique_ptr<ObjectReader>> ObjectReader::open(const ObjectStore& store,
                                                               const Key& key) {
  TRY_ASSIGN(auto info, store.head(key));
  return std::make_unique<ObjectReader>(store, std::move(info));
}

ObjectReader::ObjectReader(const ObjectStore& store, ObjectInfo info)
    : store_(store), info_(std::move(info)), name_(store.location() + info_.key.value()) {}

core::Status ObjectReader::read_exactly(std::uint64_t offset, std::span<std::byte> out) const {
  if (offset > info_.size || out.size() > info_.size - offset) {
    return core::Error(core::ErrorCode::kCorrupt, core::text(name_, ": ends at byte ", info_.size,
                                                             ", before the range at ", offset));
  }
  if (out.empty()) return {};
  TRY_ASSIGN(const auto bytes, get_range(store_, info_.key, {offset, out.size()}));
  std::ranges::copy(bytes, out.begin());
  return {};
}

std::vector<core::Result<core::Bytes>> ObjectReader::read_many(
    std::span<const core::ByteRange> ranges) const {
  return store_.get_many(info_.key, ranges);
}

}  // namespace icefield::object_store
