#pragma once

#include <span>
#include <string>
#include <utility>

#include "core/result.h"
#include "object_store/local/folder_lock.h"
#include "object_store/object_store.h"

namespace icefield::object_store {

/// Whether a put waits until its bytes are on the medium: they survive a killed process either
/// way, a power cut only with kPowerCut. See docs/decisions for what it costs.
enum class Durability { kProcess, kPowerCut };

/// A whole new file that no key names yet. It has no name in the folder at all where the file
/// system can do that, else a temporary one (`name#N`) that the destructor removes.
class PendingFile {
 public:
  /// Writes the bytes beside `path`, the later name. Errors: kNotFound when the folder does not
  /// exist, kPermissionDenied, kUnavailable (disk full and the like).
  static core::Result<PendingFile> write(const std::string& path, std::span<const std::byte> bytes,
                                         Durability durability);

  /// An open file of another key, to be given a second name.
  static core::Result<PendingFile> existing(int fd, const std::string& path, Durability durability);

  PendingFile(PendingFile&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)),
        path_(std::move(other.path_)),
        temporary_(std::exchange(other.temporary_, {})),
        durability_(other.durability_) {}
  PendingFile& operator=(PendingFile&& other) noexcept {
    std::swap(fd_, other.fd_);
    std::swap(path_, other.path_);
    std::swap(temporary_, other.temporary_);
    std::swap(durability_, other.durability_);
    return *this;
  }
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;
  ~PendingFile();

  /// Gives the file its name if nothing has it, atomically.
  /// Errors: kConflict when something has; kNotFound when the folder is gone.
  core::Status name_if_absent();

  /// Gives the file its name, in place of what has it, atomically for readers. `lock` is that of
  /// the folder, held by the caller. Gives the file a later time than `replaced`, if there is one.
  core::Status name_replacing(const FolderLock& lock, const ObjectInfo* replaced);

  /// The file as an object. Errors: kUnavailable.
  core::Result<ObjectInfo> info(const Key& key) const;

 private:
  PendingFile(int fd, std::string path, Durability durability)
      : fd_(fd), path_(std::move(path)), durability_(durability) {}

  core::Status fill(std::span<const std::byte> bytes);
  core::Status sync_name() const;

  int fd_;
  std::string path_;
  std::string temporary_;  // path, empty when the file has no name
  Durability durability_;
};

/// The folder part of a path: text before the last '/'.
std::string folder_of(const std::string& path);

}  // namespace icefield::object_store
