#include "object_store/local/folder_lock.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "object_store/local/file_state.h"

namespace icefield::object_store {
namespace {

// A waiter may get the lock of a folder that its last holder removed.
bool still_there(int fd, const std::string& folder) {
  struct stat held {};
  struct stat named {};
  return ::fstat(fd, &held) == 0 && ::stat(folder.c_str(), &named) == 0 &&
         held.st_ino == named.st_ino && held.st_dev == named.st_dev;
}

}  // namespace

core::Result<FolderLock> FolderLock::acquire(const std::string& folder) {
  for (;;) {
    const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return file_error(errno, "open folder " + folder);
    FolderLock lock(fd);
    while (::flock(fd, LOCK_EX) != 0) {
      if (errno != EINTR) return file_error(errno, "lock folder " + folder);
    }
    if (still_there(fd, folder)) return lock;
  }
}

FolderLock::~FolderLock() {
  if (fd_ < 0) return;
  // Unlocking says it to children as well, which share the lock when they were forked meanwhile.
  ::flock(fd_, LOCK_UN);
  ::close(fd_);
}

}  // namespace icefield::object_store
