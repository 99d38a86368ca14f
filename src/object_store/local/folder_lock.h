#pragma once

#include <string>
#include <utility>

#include "core/result.h"

namespace icefield::object_store {

/// A folder held against every other thread and process that locks it (flock on the folder itself,
/// so that no extra file exists). Released by the destructor and by the end of the process.
/// While it is held the folder is the one its path names: no other holder can have removed it.
class FolderLock {
 public:
  /// Waits for the lock. Errors: kNotFound when the folder does not exist, kPermissionDenied,
  /// kUnavailable (also where the file system has no flock).
  static core::Result<FolderLock> acquire(const std::string& folder);

  FolderLock(FolderLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FolderLock& operator=(FolderLock&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock();

  /// The locked folder, for calls of the openat family.
  int fd() const { return fd_; }

 private:
  explicit FolderLock(int fd) : fd_(fd) {}
  int fd_;
};

}  // namespace icefield::object_store
