#include "object_store/local/open_file.h"

#include <cerrno>
#include <cstddef>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/text.h"
#include "object_store/local/file_state.h"

namespace icefield::object_store {

core::Result<OpenFile> OpenFile::open(const Key& key, const std::string& path) {
  // O_NONBLOCK: opening a pipe must not wait for its writer
  const int fd = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return file_error(errno, "open " + path);
  OpenFile file(fd, path);
  struct stat status {};
  if (::fstat(fd, &status) != 0) return file_error(errno, "look up " + path);
  if (!S_ISREG(status.st_mode)) {
    return core::Error(core::ErrorCode::kNotFound, path + " is not a file");
  }
  file.info_ = info_of(key, status);
  return file;
}

OpenFile::~OpenFile() {
  if (fd_ >= 0) ::close(fd_);
}

bool OpenFile::unlinked() const {
  struct stat status {};
  return ::fstat(fd_, &status) == 0 && status.st_nlink == 0;
}

core::Result<core::Bytes> OpenFile::read(core::ByteRange range) const {
  const auto ends_early = [&] {
    return core::Error(core::ErrorCode::kCorrupt,
                       core::text(path_, ": ends before byte ", range.offset, " + ", range.length));
  };
  if (range.offset > info_.size || range.length > info_.size - range.offset) return ends_early();
  core::Bytes bytes(range.length);
  std::size_t done = 0;
  while (done < bytes.size()) {
    const auto got = ::pread(fd_, bytes.data() + done, bytes.size() - done,
                             static_cast<off_t>(range.offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return file_error(errno, "read " + path_);
    if (got == 0) return ends_early();  // cut short since it was opened
    done += static_cast<std::size_t>(got);
  }
  return bytes;
}

}  // namespace icefield::object_store
