#include "object_store/object_store.h"

#include <utility>

#include "core/parallel.h"

namespace icefield::object_store {

std::vector<core::Result<ObjectInfo>> ObjectStore::put_many(std::span<const PutRequest> objects) {
  constexpr std::size_t kAtOnce = 8;
  return core::parallel_map(objects, kAtOnce, [this](const PutRequest& object) {
    return put(object.key, object.bytes, object.condition);
  });
}

core::Result<std::size_t> ObjectStore::remove_leftovers(core::Instant /*older_than*/) {
  return std::size_t{0};
}

core::Result<core::Bytes> get_range(const ObjectStore& store, const Key& key,
                                    core::ByteRange range) {
  auto results = store.get_many(key, std::span(&range, 1));
  return std::move(results.front());
}

core::Result<std::vector<ObjectInfo>> list_all(const ObjectStore& store,
                                               const std::string& prefix) {
  std::vector<ObjectInfo> all;
  TRY(store.list({.prefix = prefix}, [&all](const ListPage& page) {
    all.insert(all.end(), page.objects.begin(), page.objects.end());
    return true;
  }));
  return all;
}

}  // namespace icefield::object_store
