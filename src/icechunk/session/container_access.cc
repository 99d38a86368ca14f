#include "icechunk/session/container_access.h"

#include <algorithm>
#include <mutex>
#include <unordered_set>
#include <utility>

#include "core/log.h"
#include "core/text.h"

namespace icefield::icechunk {

struct ContainerAccess::Warned {
  std::mutex mutex;  // guards locations
  std::unordered_set<std::string> locations;
};

void ContainerAccess::allow_changed_sources() {
  if (!changed_) changed_ = std::make_shared<Warned>();
}

bool ContainerAccess::accept_changed(std::string_view location) const {
  if (!changed_) return false;
  const std::lock_guard lock(changed_->mutex);
  if (changed_->locations.emplace(location).second) {
    core::log_warning(
        core::text("virtual chunk at ", location,
                   ": read although its source was modified since it was referenced"));
  }
  return true;
}

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
