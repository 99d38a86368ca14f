#include "object_store/memory/memory_store.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <utility>

#include "core/text.h"
#include "object_store/key_rules.h"

namespace icefield::object_store {
namespace {

constexpr std::size_t kPage = 1000;  // entries of a listing's page

struct Held {
  std::shared_ptr<const core::Bytes> bytes;
  std::uint64_t version = 0;
  core::Instant last_modified;
};

struct Shelf {
  std::shared_mutex mutex;  // guards the members below
  std::map<std::string, Held, std::less<>> objects;
  std::uint64_t last_version = 0;
};

ObjectInfo describe(const std::string& key, const Held& held) {
  return {Key(key), held.bytes->size(), Version(std::to_string(held.version)), held.last_modified};
}

class MemoryStore final : public ObjectStore {
 public:
  MemoryStore(std::shared_ptr<Shelf> shelf, std::string location)
      : shelf_(std::move(shelf)), location_(std::move(location)) {}

  const std::string& location() const override { return location_; }

  core::Result<Object> get(const Key& key) const override {
    TRY_ASSIGN(const auto held, find(key));
    return Object{describe(key.value(), held), *held.bytes};
  }

  core::Result<std::optional<Object>> get_if_changed(const Key& key,
                                                     const Version& known) const override {
    TRY_ASSIGN(const auto held, find(key));
    auto info = describe(key.value(), held);
    if (info.version == known) return std::optional<Object>();
    return std::optional<Object>(Object{std::move(info), *held.bytes});
  }

  std::vector<core::Result<core::Bytes>> get_many(
      const Key& key, std::span<const core::ByteRange> ranges) const override {
    const auto held = find(key);
    std::vector<core::Result<core::Bytes>> results;
    results.reserve(ranges.size());
    for (const auto range : ranges) {
      if (held) {
        results.push_back(cut(key, *held->bytes, range));
      } else {
        results.emplace_back(held.error());
      }
    }
    return results;
  }

  core::Result<core::Bytes> get_suffix(const Key& key, std::uint64_t length) const override {
    TRY_ASSIGN(const auto held, find(key));
    const auto taken = std::min<std::uint64_t>(length, held.bytes->size());
    return core::Bytes(held.bytes->end() - static_cast<std::ptrdiff_t>(taken), held.bytes->end());
  }

  core::Result<ObjectInfo> head(const Key& key) const override {
    TRY_ASSIGN(const auto held, find(key));
    return describe(key.value(), held);
  }

  core::Result<ObjectInfo> put(const Key& key, std::span<const std::byte> bytes,
                               const PutCondition& condition) override {
    TRY(check_key(key));
    auto copied = std::make_shared<const core::Bytes>(bytes.begin(), bytes.end());
    const std::unique_lock lock(shelf_->mutex);
    const auto at = shelf_->objects.find(key.value());
    if (!holds(condition, at)) {
      return core::Error(core::ErrorCode::kConflict,
                         location_ + key.value() + ": the put's condition does not hold");
    }
    Held held{std::move(copied), ++shelf_->last_version, core::system_now()};
    auto info = describe(key.value(), held);
    shelf_->objects.insert_or_assign(key.value(), std::move(held));
    return info;
  }

  core::Status copy(const Key& from, const Key& to,
                    const std::optional<Version>& only_if) override {
    TRY(check_key(from));
    TRY(check_key(to));
    const std::unique_lock lock(shelf_->mutex);
    const auto at = shelf_->objects.find(from.value());
    if (at == shelf_->objects.end()) return absent(from);
    if (only_if && *only_if != Version(std::to_string(at->second.version))) {
      return core::Error(core::ErrorCode::kConflict,
                         location_ + from.value() + ": changed before it was copied");
    }
    shelf_->objects.insert_or_assign(
        to.value(), Held{at->second.bytes, ++shelf_->last_version, core::system_now()});
    return {};
  }

  std::vector<core::Status> remove(std::span<const Key> keys) override {
    std::vector<core::Status> results;
    results.reserve(keys.size());
    const std::unique_lock lock(shelf_->mutex);
    for (const auto& key : keys) {
      results.push_back(check_key(key));
      if (results.back()) shelf_->objects.erase(key.value());
    }
    return results;
  }

  core::Status list(const ListOptions& options,
                    const std::function<bool(const ListPage&)>& visit) const override {
    std::string next = options.prefix;  // keys below this are done
    if (!options.start_after.empty()) {
      next = std::max(next, options.start_after + std::string(1, '\0'));
    }
    for (bool more = true; more;) {
      ListPage page;
      more = fill(options, next, page);
      if (page.objects.empty() && page.folders.empty()) break;
      if (!visit(page)) break;
    }
    return {};
  }

 private:
  using At = std::map<std::string, Held, std::less<>>::const_iterator;

  core::Error absent(const Key& key) const {
    return {core::ErrorCode::kNotFound, location_ + key.value() + ": no such object"};
  }

  core::Result<Held> find(const Key& key) const {
    TRY(check_key(key));
    const std::shared_lock lock(shelf_->mutex);
    const auto at = shelf_->objects.find(key.value());
    if (at == shelf_->objects.end()) return absent(key);
    return at->second;
  }

  core::Result<core::Bytes> cut(const Key& key, const core::Bytes& bytes,
                                core::ByteRange range) const {
    if (range.offset > bytes.size() || range.length > bytes.size() - range.offset) {
      return core::Error(core::ErrorCode::kCorrupt,
                         core::text(location_, key.value(), ": has ", bytes.size(),
                                    " bytes and ends before the range at ", range.offset));
    }
    const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(range.offset);
    return core::Bytes(first, first + static_cast<std::ptrdiff_t>(range.length));
  }

  // Precondition: the mutex is held.
  bool holds(const PutCondition& condition, At at) const {
    const bool present = at != shelf_->objects.end();
    switch (condition.kind) {
      case PutCondition::Kind::kNone:
        return true;
      case PutCondition::Kind::kAbsent:
        return !present;
      case PutCondition::Kind::kUnchangedSince:
        return present && condition.since &&
               *condition.since == Version(std::to_string(at->second.version));
    }
    return false;
  }

  // One page from `next` on; moves `next` behind it. False when the listing has ended.
  bool fill(const ListOptions& options, std::string& next, ListPage& page) const {
    const std::shared_lock lock(shelf_->mutex);
    auto at = shelf_->objects.lower_bound(next);
    while (at != shelf_->objects.end() && at->first.starts_with(options.prefix)) {
      if (page.objects.size() + page.folders.size() == kPage) {
        next = at->first;
        return true;
      }
      const auto slash =
          options.recursive ? std::string::npos : at->first.find('/', options.prefix.size());
      if (slash == std::string::npos) {
        page.objects.push_back(describe(at->first, at->second));
        ++at;
        continue;
      }
      auto behind = at->first.substr(0, slash + 1);
      if (behind > options.start_after) page.folders.push_back(behind);
      ++behind.back();  // '/' becomes '0': the first text after all keys of the folder
      at = shelf_->objects.lower_bound(behind);
    }
    return false;
  }

  std::shared_ptr<Shelf> shelf_;
  std::string location_;
};

std::shared_ptr<Shelf> shelf_named(const std::string& name) {
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<Shelf>> shelves;
  const std::lock_guard lock(mutex);
  auto& shelf = shelves[name];
  if (!shelf) shelf = std::make_shared<Shelf>();
  return shelf;
}

}  // namespace

std::unique_ptr<ObjectStore> make_memory_store(const std::string& name) {
  if (name.empty()) return std::make_unique<MemoryStore>(std::make_shared<Shelf>(), "memory:///");
  return std::make_unique<MemoryStore>(shelf_named(name), "memory://" + name + "/");
}

}  // namespace icefield::object_store
