#include "icechunk/assets/cache.h"

#include <cstring>

namespace icefield::icechunk {

std::size_t AssetCache::KeyHash::operator()(const Key& key) const noexcept {
  std::size_t first = 0;  // ids are random
  std::memcpy(&first, key.id.data(), sizeof(first));
  return first ^ static_cast<std::size_t>(key.kind);
}

std::size_t AssetCache::bytes() const {
  const std::lock_guard lock(mutex_);
  return held_;
}

std::shared_ptr<const void> AssetCache::find_any(const Key& key) {
  const std::lock_guard lock(mutex_);
  const auto found = index_.find(key);
  if (found == index_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->value;
}

void AssetCache::put_any(const Key& key, std::shared_ptr<const void> value, std::size_t bytes) {
  if (bytes > capacity_) return;
  std::list<Entry> dropped;  // destroyed after the lock is gone: values may be large
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = index_.find(key); found != index_.end()) return;
    while (held_ + bytes > capacity_) {
      held_ -= entries_.back().bytes;
      index_.erase(entries_.back().key);
      dropped.splice(dropped.end(), entries_, std::prev(entries_.end()));
    }
    entries_.push_front({key, std::move(value), bytes});
    index_.emplace(key, entries_.begin());
    held_ += bytes;
  }
}

void AssetCache::drop_any(const Key& key) {
  std::list<Entry> dropped;  // destroyed after the lock is gone
  const std::lock_guard lock(mutex_);
  const auto found = index_.find(key);
  if (found == index_.end()) return;
  held_ -= found->second->bytes;
  dropped.splice(dropped.end(), entries_, found->second);
  index_.erase(found);
}

}  // namespace icefield::icechunk
