#include "object_store/internal/prefixed_store.h"

#include <utility>

#include "object_store/key_rules.h"

namespace icefield::object_store {
namespace {

class PrefixedStore final : public ObjectStore {
 public:
  PrefixedStore(std::unique_ptr<ObjectStore> whole, std::string prefix)
      : whole_(std::move(whole)),
        prefix_(std::move(prefix)),
        location_(whole_->location() + prefix_) {}

  const std::string& location() const override { return location_; }

  core::Result<Object> get(const Key& key) const override {
    TRY(check_key(key));
    TRY_ASSIGN(auto object, whole_->get(outer(key)));
    object.info.key = key;
    return object;
  }

  core::Result<std::optional<Object>> get_if_changed(const Key& key,
                                                     const Version& known) const override {
    TRY(check_key(key));
    TRY_ASSIGN(auto object, whole_->get_if_changed(outer(key), known));
    if (object) object->info.key = key;
    return object;
  }

  std::vector<core::Result<core::Bytes>> get_many(
      const Key& key, std::span<const core::ByteRange> ranges) const override {
    if (const auto checked = check_key(key); !checked) {
      return {ranges.size(), core::Result<core::Bytes>(checked.error())};
    }
    return whole_->get_many(outer(key), ranges);
  }

  core::Result<core::Bytes> get_suffix(const Key& key, std::uint64_t length) const override {
    TRY(check_key(key));
    return whole_->get_suffix(outer(key), length);
  }

  core::Result<ObjectInfo> head(const Key& key) const override {
    TRY(check_key(key));
    TRY_ASSIGN(auto info, whole_->head(outer(key)));
    info.key = key;
    return info;
  }

  core::Result<ObjectInfo> put(const Key& key, std::span<const std::byte> bytes,
                               const PutCondition& condition) override {
    TRY(check_key(key));
    TRY_ASSIGN(auto info, whole_->put(outer(key), bytes, condition));
    info.key = key;
    return info;
  }

  std::vector<core::Result<ObjectInfo>> put_many(std::span<const PutRequest> objects) override {
    std::vector<PutRequest> outer_objects;
    std::vector<std::size_t> places;
    std::vector<core::Result<ObjectInfo>> results(objects.size(), ObjectInfo{});
    for (std::size_t i = 0; i < objects.size(); ++i) {
      if (const auto checked = check_key(objects[i].key); !checked) {
        results[i] = checked.error();
        continue;
      }
      outer_objects.push_back({outer(objects[i].key), objects[i].bytes, objects[i].condition});
      places.push_back(i);
    }
    auto written = whole_->put_many(outer_objects);
    for (std::size_t i = 0; i < places.size(); ++i) {
      auto& result = results[places[i]] = std::move(written[i]);
      if (result) result->key = objects[places[i]].key;
    }
    return results;
  }

  core::Status copy(const Key& from, const Key& to,
                    const std::optional<Version>& only_if) override {
    TRY(check_key(from));
    TRY(check_key(to));
    return whole_->copy(outer(from), outer(to), only_if);
  }

  std::vector<core::Status> remove(std::span<const Key> keys) override {
    std::vector<Key> outer_keys;
    std::vector<core::Status> results(keys.size());
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      results[i] = check_key(keys[i]);
      if (!results[i]) continue;
      outer_keys.push_back(outer(keys[i]));
      places.push_back(i);
    }
    auto removed = whole_->remove(outer_keys);
    for (std::size_t i = 0; i < places.size(); ++i) results[places[i]] = std::move(removed[i]);
    return results;
  }

  core::Status list(const ListOptions& options,
                    const std::function<bool(const ListPage&)>& visit) const override {
    ListOptions below = options;
    below.prefix = prefix_ + options.prefix;
    if (!options.start_after.empty()) below.start_after = prefix_ + options.start_after;
    return whole_->list(below, [this, &visit](const ListPage& page) {
      ListPage inner = page;
      for (auto& object : inner.objects) {
        object.key = Key(object.key.value().substr(prefix_.size()));
      }
      for (auto& folder : inner.folders) folder.erase(0, prefix_.size());
      return visit(inner);
    });
  }

  core::Result<std::size_t> remove_leftovers(core::Instant older_than) override {
    return whole_->remove_leftovers(older_than);
  }

 private:
  Key outer(const Key& key) const { return Key(prefix_ + key.value()); }

  std::unique_ptr<ObjectStore> whole_;
  std::string prefix_;
  std::string location_;
};

}  // namespace

std::unique_ptr<ObjectStore> below_prefix(std::unique_ptr<ObjectStore> whole, std::string prefix) {
  if (prefix.empty()) return whole;
  return std::make_unique<PrefixedStore>(std::move(whole), std::move(prefix));
}

}  // namespace icefield::object_store
