#include "object_store/local/file_state.h"

#include <cerrno>
#include <chrono>
#include <cstdint>

#include <sys/stat.h>

#include "core/file.h"
#include "core/text.h"

namespace icefield::object_store {

ObjectInfo info_of(const Key& key, const struct stat& status) {
  const auto since_epoch = std::chrono::seconds{status.st_mtim.tv_sec} +
                           std::chrono::nanoseconds{status.st_mtim.tv_nsec};
  return {.key = key,
          .size = static_cast<std::uint64_t>(status.st_size),
          .version = Version(core::text(status.st_ino, "-", status.st_size, "-",
                                        std::chrono::nanoseconds(since_epoch).count())),
          .last_modified =
              core::Instant(std::chrono::duration_cast<std::chrono::microseconds>(since_epoch))};
}

core::Error file_error(int error_number, const std::string& doing) {
  if (error_number == ENAMETOOLONG) {
    return {core::ErrorCode::kInvalidArgument, doing + ": a part of the name is over 255 bytes"};
  }
  return core::errno_error(error_number, doing);
}

core::Result<ObjectInfo> file_info(const Key& key, const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return file_error(errno, "look up " + path);
  if (!S_ISREG(status.st_mode)) {
    return core::Error(core::ErrorCode::kNotFound, path + " is not a file");
  }
  return info_of(key, status);
}

}  // namespace icefield::object_store
