#include "object_store/local/pending_file.h"

#include <cerrno>
#include <cstddef>
#include <cstdint>

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/random.h"
#include "core/text.h"
#include "object_store/local/file_state.h"

namespace icefield::object_store {
namespace {

// Written under the folder's lock only, so a leftover of this name has no living owner. The number
// differs from those that other writers of the same format count up from 1.
constexpr const char* kReplacingSuffix = "#0";

std::string proc_name(int fd) {
  return core::text("/proc/self/fd/", fd);
}

bool nameless_files_have_links() {
  static const bool can = ::access("/proc/self/fd", X_OK) == 0;
  return can;
}

/// EPERM is what ext4 says of a folder that was removed after its name was looked up; asked again,
/// it is gone, or there anew. Where it is the answer each time, it is meant.
int open_nameless(const std::string& folder) {
  constexpr int kAttempts = 16;
  int fd = -1;
  for (int i = 0; i < kAttempts; ++i) {
    fd = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    if (fd >= 0 || errno != EPERM) break;
  }
  return fd;
}

int link_descriptor(int fd, int folder, const std::string& name) {
  return ::linkat(AT_FDCWD, proc_name(fd).c_str(), folder, name.c_str(), AT_SYMLINK_FOLLOW);
}

std::string name_of(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

// The kernel's own time of a file has steps of milliseconds; versions need the clock's.
int set_modified(int fd, const struct timespec& at) {
  const struct timespec times[2] = {{.tv_sec = 0, .tv_nsec = UTIME_OMIT}, at};
  return ::futimens(fd, times);
}

struct timespec now() {
  struct timespec at {};
  ::clock_gettime(CLOCK_REALTIME, &at);
  return at;
}

}  // namespace

std::string folder_of(const std::string& path) {
  return path.substr(0, path.rfind('/'));
}

core::Result<PendingFile> PendingFile::write(const std::string& path,
                                             std::span<const std::byte> bytes,
                                             Durability durability) {
  int fd = -1;
  if (nameless_files_have_links()) {
    const auto folder = folder_of(path);
    fd = open_nameless(folder.empty() ? "/" : folder);
    if (fd < 0 && errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL) {
      return file_error(errno, "write " + path);
    }
  }
  const bool nameless = fd >= 0;
  const std::string temporary =
      nameless ? std::string() : core::text(path, "#", core::random_u64());
  if (!nameless) fd = ::open(temporary.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
  if (fd < 0) return file_error(errno, "write " + path);
  PendingFile file(fd, path, durability);
  file.temporary_ = temporary;
  TRY(file.fill(bytes));
  return file;
}

core::Result<PendingFile> PendingFile::existing(int fd, const std::string& path,
                                                Durability durability) {
  const int own = ::fcntl(fd, F_DUPFD_CLOEXEC, 0);
  if (own < 0) return file_error(errno, "link " + path);
  return PendingFile(own, path, durability);
}

PendingFile::~PendingFile() {
  if (fd_ >= 0) ::close(fd_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

core::Status PendingFile::fill(std::span<const std::byte> bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const auto put = ::write(fd_, bytes.data() + done, bytes.size() - done);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return file_error(put < 0 ? errno : ENOSPC, "write " + path_);
    done += static_cast<std::size_t>(put);
  }
  if (set_modified(fd_, now()) != 0) return file_error(errno, "set the time of " + path_);
  if (durability_ == Durability::kPowerCut && ::fsync(fd_) != 0) {
    return file_error(errno, "sync " + path_);
  }
  return {};
}

core::Status PendingFile::name_if_absent() {
  const int linked = temporary_.empty() ? link_descriptor(fd_, AT_FDCWD, path_)
                                        : ::link(temporary_.c_str(), path_.c_str());
  if (linked != 0) {
    if (errno == EEXIST) return core::Error(core::ErrorCode::kConflict, path_ + " exists already");
    return file_error(errno, "create " + path_);
  }
  return sync_name();
}

core::Status PendingFile::name_replacing(const FolderLock& lock, const ObjectInfo* replaced) {
  const auto name = name_of(path_);
  const auto between = temporary_.empty() ? name + kReplacingSuffix : name_of(temporary_);
  if (replaced != nullptr) {
    TRY_ASSIGN(const auto mine, info(Key()));
    if (mine.last_modified <= replaced->last_modified) {  // the clock went back, or barely moved
      const auto later = replaced->last_modified.time_since_epoch().count() + 1;
      struct timespec at {};
      at.tv_sec = later / 1'000'000;
      at.tv_nsec = static_cast<long>(later % 1'000'000) * 1000;
      if (set_modified(fd_, at) != 0) return file_error(errno, "set the time of " + path_);
    }
  }
  if (temporary_.empty()) {
    int linked = link_descriptor(fd_, lock.fd(), between);
    if (linked != 0 && errno == EEXIST && ::unlinkat(lock.fd(), between.c_str(), 0) == 0) {
      linked = link_descriptor(fd_, lock.fd(), between);
    }
    if (linked != 0) return file_error(errno, "replace " + path_);
  }
  if (::renameat(lock.fd(), between.c_str(), lock.fd(), name.c_str()) != 0) {
    const int why = errno;
    ::unlinkat(lock.fd(), between.c_str(), 0);
    return file_error(why, "replace " + path_);
  }
  // rename leaves both names when they already are one file; in all other cases this finds none
  ::unlinkat(lock.fd(), between.c_str(), 0);
  temporary_.clear();
  return sync_name();
}

core::Status PendingFile::sync_name() const {
  if (durability_ == Durability::kProcess) return {};
  const int folder = ::open(folder_of(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return file_error(errno, "sync folder of " + path_);
  const int synced = ::fsync(folder);
  const int why = errno;
  ::close(folder);
  if (synced != 0) return file_error(why, "sync folder of " + path_);
  return {};
}

core::Result<ObjectInfo> PendingFile::info(const Key& key) const {
  struct stat status {};
  if (::fstat(fd_, &status) != 0) return file_error(errno, "look up " + path_);
  return info_of(key, status);
}

}  // namespace icefield::object_store
