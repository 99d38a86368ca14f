#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "icechunk/format/envelope.h"
#include "icechunk/format/ids.h"

namespace icefield::icechunk {

/// Decoded files by kind and id, bounded in bytes: what was not used longest goes first.
/// Files never change, so nothing here is ever out of date. Any threads.
class AssetCache {
 public:
  explicit AssetCache(std::size_t capacity_bytes) : capacity_(capacity_bytes) {}

  /// nullptr when it is not held. T must be what was put under that kind.
  template <typename T, typename Tag>
  std::shared_ptr<const T> find(FileType kind, const Id<Tag, 12>& id) {
    return std::static_pointer_cast<const T>(find_any({kind, id.bytes()}));
  }

  /// Holds `value`, which keeps about `bytes` of memory, unless that is more than the capacity.
  template <typename T, typename Tag>
  void put(FileType kind, const Id<Tag, 12>& id, std::shared_ptr<const T> value,
           std::size_t bytes) {
    put_any({kind, id.bytes()}, std::move(value), bytes);
  }

  /// Lets go of what is not needed any more; nothing happens when it is not held.
  template <typename Tag>
  void drop(FileType kind, const Id<Tag, 12>& id) {
    drop_any({kind, id.bytes()});
  }

  /// Bytes held now, as declared by put().
  std::size_t bytes() const;

 private:
  struct Key {
    FileType kind;
    std::array<std::uint8_t, 12> id;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const noexcept;
  };
  struct Entry {
    Key key;
    std::shared_ptr<const void> value;
    std::size_t bytes;
  };

  std::shared_ptr<const void> find_any(const Key& key);
  void put_any(const Key& key, std::shared_ptr<const void> value, std::size_t bytes);
  void drop_any(const Key& key);

  mutable std::mutex mutex_;  // guards everything below
  std::size_t capacity_;
  std::size_t held_ = 0;
  std::list<Entry> entries_;  // most recently used first
  std::unordered_map<Key, std::list<Entry>::iterator, KeyHash> index_;
};

}  // namespace icefield::icechunk
