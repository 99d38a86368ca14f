#include "object_store/local/local_store.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/text.h"
#include "object_store/internal/percent.h"
#include "object_store/key_rules.h"
#include "object_store/local/file_state.h"
#include "object_store/local/folder_lock.h"
#include "object_store/local/folder_walk.h"
#include "object_store/local/open_file.h"

namespace icefield::object_store {
namespace {

// Another process may remove an emptied folder between making it and using it, each time anew.
constexpr int kFolderAttempts = 100;
constexpr std::size_t kRemovedPerLock = 64;

core::Status check_local_key(const Key& key) {
  TRY(check_key(key));
  if (is_temporary_name(last_segment(key.value()))) {
    return core::Error(
        core::ErrorCode::kInvalidArgument,
        "object key '" + key.value() + "': ends like a temporary file, in '#' and digits");
  }
  return {};
}

bool is(const core::Status& status, core::ErrorCode code) {
  return !status && status.error().code() == code;
}

class LocalStore final : public ObjectStore {
 public:
  LocalStore(std::string root, Durability durability)
      : root_(std::move(root)),
        location_("file://" + percent_encode_path(root_) + "/"),
        durability_(durability) {}

  const std::string& location() const override { return location_; }

  core::Result<Object> get(const Key& key) const override {
    TRY_ASSIGN(const auto file, open(key));
    TRY_ASSIGN(auto bytes, file.read({0, file.info().size}));
    return Object{file.info(), std::move(bytes)};
  }

  core::Result<std::optional<Object>> get_if_changed(const Key& key,
                                                     const Version& known) const override {
    TRY_ASSIGN(const auto file, open(key));
    if (file.info().version == known) return std::optional<Object>();
    TRY_ASSIGN(auto bytes, file.read({0, file.info().size}));
    return std::optional<Object>(Object{file.info(), std::move(bytes)});
  }

  std::vector<core::Result<core::Bytes>> get_many(
      const Key& key, std::span<const core::ByteRange> ranges) const override {
    const auto file = open(key);
    std::vector<core::Result<core::Bytes>> results;
    results.reserve(ranges.size());
    for (const auto range : ranges) {
      if (file) {
        results.push_back(file->read(range));
      } else {
        results.emplace_back(file.error());
      }
    }
    return results;
  }

  core::Result<core::Bytes> get_suffix(const Key& key, std::uint64_t length) const override {
    TRY_ASSIGN(const auto file, open(key));
    const auto taken = std::min(length, file.info().size);
    return file.read({file.info().size - taken, taken});
  }

  core::Result<ObjectInfo> head(const Key& key) const override {
    TRY(check_local_key(key));
    return file_info(key, path(key));
  }

  core::Result<ObjectInfo> put(const Key& key, std::span<const std::byte> bytes,
                               const PutCondition& condition) override {
    TRY(check_local_key(key));
    TRY(may_hold(key, condition));
    auto file = PendingFile::write(path(key), bytes, durability_);
    for (int i = 0; !file && file.error().code() == core::ErrorCode::kNotFound; ++i) {
      if (i == kFolderAttempts) return std::move(file).error();
      TRY(make_folders(key));
      file = PendingFile::write(path(key), bytes, durability_);
    }
    if (!file) return std::move(file).error();
    TRY(name(key, *file, condition));
    return file->info(key);
  }

  core::Status copy(const Key& from, const Key& to,
                    const std::optional<Version>& only_if) override {
    TRY(check_local_key(to));
    TRY_ASSIGN(const auto source, open(from));
    const auto changed =
        core::Error(core::ErrorCode::kConflict, path(from) + ": changed before it was copied");
    if (only_if && source.info().version != *only_if) return changed;
    TRY_ASSIGN(auto file, PendingFile::existing(source.fd(), path(to), durability_));
    auto linked = name(to, file, PutCondition::none());
    if (linked) return {};
    if (source.unlinked()) {
      if (only_if) return changed;
      return copy(from, to, only_if);
    }
    if (linked.error().code() == core::ErrorCode::kInvalidArgument) return linked;
    // no hard links here (another device, a foreign file system, too many links): copy the bytes
    TRY_ASSIGN(const auto bytes, source.read({0, source.info().size}));
    TRY(put(to, bytes, PutCondition::none()));
    return {};
  }

  std::vector<core::Status> remove(std::span<const Key> keys) override {
    std::vector<core::Status> results;
    results.reserve(keys.size());
    while (results.size() < keys.size()) {
      const auto rest = keys.subspan(results.size());
      if (auto checked = check_local_key(rest.front()); !checked) {
        results.push_back(std::move(checked));
        continue;
      }
      const auto folder = folder_of(path(rest.front()));
      const auto other = std::ranges::find_if(rest, [&](const Key& key) {
        return folder_of(path(key)) != folder || !check_local_key(key);
      });
      const auto run = static_cast<std::size_t>(other - rest.begin());
      remove_from(folder, rest.first(std::min(run, kRemovedPerLock)), results);
    }
    return results;
  }

  core::Status list(const ListOptions& options,
                    const std::function<bool(const ListPage&)>& visit) const override {
    return walk_folder(root_, options, visit);
  }

  core::Result<std::size_t> remove_leftovers(core::Instant older_than) override {
    return remove_temporary_files(root_, older_than);
  }

 private:
  std::string path(const Key& key) const { return root_ + "/" + key.value(); }

  core::Result<OpenFile> open(const Key& key) const {
    TRY(check_local_key(key));
    return OpenFile::open(key, path(key));
  }

  core::Error conflict(const Key& key) const {
    return {core::ErrorCode::kConflict, path(key) + ": the put's condition does not hold"};
  }

  // The condition looked at before the work; decided again, for good, when the file gets its name.
  core::Status may_hold(const Key& key, const PutCondition& condition) const {
    if (condition.kind == PutCondition::Kind::kNone) return {};
    const auto info = file_info(key, path(key));
    if (condition.kind == PutCondition::Kind::kAbsent) {
      if (info) return conflict(key);
      return {};
    }
    if (!info && info.error().code() != core::ErrorCode::kNotFound) return info.error();
    if (!info || !condition.since || info->version != *condition.since) return conflict(key);
    return {};
  }

  core::Status name(const Key& key, PendingFile& file, const PutCondition& condition) {
    for (int i = 0;; ++i) {
      auto done = try_name(key, file, condition);
      if (done || i == kFolderAttempts) return done;
      if (is(done, core::ErrorCode::kNotFound)) {  // the folder was emptied and removed meanwhile
        if (condition.kind == PutCondition::Kind::kUnchangedSince) return conflict(key);
        TRY(make_folders(key));
      } else if (!is(done, core::ErrorCode::kInvalidArgument) || !remove_empty_folder(key)) {
        return done;
      }
    }
  }

  core::Status try_name(const Key& key, PendingFile& file, const PutCondition& condition) {
    if (condition.kind != PutCondition::Kind::kUnchangedSince) {
      auto created = file.name_if_absent();
      if (!is(created, core::ErrorCode::kConflict)) return created;
      TRY(refuse_folder(key));
      if (condition.kind == PutCondition::Kind::kAbsent) return conflict(key);
    }
    auto lock = FolderLock::acquire(folder_of(path(key)));
    if (!lock) {
      const bool gone = lock.error().code() == core::ErrorCode::kNotFound;
      if (gone && condition.kind == PutCondition::Kind::kUnchangedSince) return conflict(key);
      return std::move(lock).error();
    }
    const auto present = file_info(key, path(key));
    if (condition.kind == PutCondition::Kind::kUnchangedSince &&
        (!present || !condition.since || present->version != *condition.since)) {
      return conflict(key);
    }
    return file.name_replacing(*lock, present ? &*present : nullptr);
  }

  core::Status refuse_folder(const Key& key) const {
    if (!std::filesystem::is_directory(path(key))) return {};
    return core::Error(core::ErrorCode::kInvalidArgument,
                       path(key) + ": keys exist below this one, and a folder cannot be an object");
  }

  // Removes a folder in the place of `key` that holds nothing. False when there is none.
  bool remove_empty_folder(const Key& key) const { return ::rmdir(path(key).c_str()) == 0; }

  core::Status make_folders(const Key& key) const {
    const auto folder = folder_of(path(key));
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (!failed || failed.value() == ENOENT) return {};  // ENOENT: removed again; the caller loops
    if (failed.value() == ENOTDIR || failed.value() == EEXIST) {
      return core::Error(core::ErrorCode::kInvalidArgument,
                         path(key) + ": an object has the name of a folder above this key");
    }
    return file_error(failed.value(), "create folder " + folder);
  }

  // Precondition: the keys are valid and lie in `folder`.
  void remove_from(const std::string& folder, std::span<const Key> keys,
                   std::vector<core::Status>& results) {
    const auto lock = FolderLock::acquire(folder);
    for (const auto& key : keys) {
      if (lock) {
        results.push_back(unlink(*lock, key));
      } else if (lock.error().code() == core::ErrorCode::kNotFound) {
        results.emplace_back();
      } else {
        results.emplace_back(lock.error());
      }
    }
    if (lock) remove_empty_folders(folder);
  }

  core::Status unlink(const FolderLock& lock, const Key& key) const {
    const std::string name(last_segment(key.value()));
    if (::unlinkat(lock.fd(), name.c_str(), 0) == 0 || errno == ENOENT) return {};
    if (errno == EISDIR) return {};  // keys below this one: the object itself is absent
    return file_error(errno, "remove " + path(key));
  }

  void remove_empty_folders(std::string folder) const {
    while (folder.size() > root_.size() && ::rmdir(folder.c_str()) == 0) folder = folder_of(folder);
  }

  std::string root_;  // absolute, without '/' at the end: "" for the file system's own root
  std::string location_;
  Durability durability_;
};

}  // namespace

core::Result<std::unique_ptr<ObjectStore>> make_local_store(const std::string& root,
                                                            Durability durability) {
  std::error_code failed;
  if (root.empty() || root.find('\0') != std::string::npos) {
    return core::Error(core::ErrorCode::kInvalidArgument, "a local store needs a folder");
  }
  auto whole = std::filesystem::absolute(root, failed).lexically_normal().string();
  if (failed) return file_error(failed.value(), "find folder " + root);
  while (!whole.empty() && whole.back() == '/') whole.pop_back();
  return std::unique_ptr<ObjectStore>(std::make_unique<LocalStore>(std::move(whole), durability));
}

}  // namespace icefield::object_store
