#pragma once

#include <string>
#include <utility>

#include "core/bytes.h"
#include "core/result.h"
#include "object_store/object_store.h"

namespace icefield::object_store {

/// A regular file opened for reading together with its state at that moment. No thread changes it.
class OpenFile {
 public:
  /// Errors: kNotFound (also for a folder or a device), kPermissionDenied, kUnavailable.
  static core::Result<OpenFile> open(const Key& key, const std::string& path);

  OpenFile(OpenFile&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)),
        path_(std::move(other.path_)),
        info_(std::move(other.info_)) {}
  OpenFile& operator=(OpenFile&&) = delete;
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile();

  const ObjectInfo& info() const { return info_; }
  int fd() const { return fd_; }

  /// True when the file has lost its last name since.
  bool unlinked() const;

  /// Exactly the range. Errors: kCorrupt when the file ends before; nothing is allocated then.
  core::Result<core::Bytes> read(core::ByteRange range) const;

 private:
  OpenFile(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}
  int fd_;
  std::string path_;
  ObjectInfo info_;
};

}  // namespace icefield::object_store
