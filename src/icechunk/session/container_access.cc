#include "icechunk/session/container_access.h"

#include <algorithm>
#include <utility>

namespace icefield::icechunk {

void ContainerAccess::authorize(std::string url_prefix,
                                std::shared_ptr<const object_store::ObjectStore> store) {
  const auto known = std::ranges::find(grants_, url_prefix, &Grant::url_prefix);
  if (known != grants_.end()) {
    known->store = std::move(store);
  } else {
    grants_.push_back({std::move(url_prefix), std::move(store)});
  }
}

std::shared_ptr<const object_store::ObjectStore> ContainerAccess::find(
    std::string_view url_prefix) const {
  const auto found = std::ranges::find(grants_, url_prefix, &Grant::url_prefix);
  return found == grants_.end() ? nullptr : found->store;
}

}  // namespace icefield::icechunk
