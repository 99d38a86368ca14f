#include "core/file.h"

#include <cerrno>
#include <fstream>
#include <system_error>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/random.h"

namespace icefield::core {

Error errno_error(int error_number, const std::string& doing) {
  const auto code = [error_number] {
    switch (error_number) {
      case ENOENT:
      case ENOTDIR:
        return ErrorCode::kNotFound;
      case EACCES:
      case EPERM:
      case EROFS:
        return ErrorCode::kPermissionDenied;
      default:
        return ErrorCode::kUnavailable;
    }
  }();
  return {code, doing + ": " + std::generic_category().message(error_number)};
}

Result<File> File::open(const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return errno_error(errno, "open " + path.string());
  return File(path, fd);
}

File::~File() {
  if (fd_ >= 0) ::close(fd_);
}

Result<std::uint64_t> File::size() const {
  struct stat info {};
  if (::fstat(fd_, &info) != 0) return errno_error(errno, "stat " + path_.string());
  return static_cast<std::uint64_t>(info.st_size);
}

Status File::read_exactly(std::uint64_t offset, std::span<std::byte> out) const {
  std::size_t done = 0;
  while (done < out.size()) {
    const auto got =
        ::pread(fd_, out.data() + done, out.size() - done, static_cast<off_t>(offset + done));
    if (got < 0) {
      if (errno == EINTR) continue;
      return errno_error(errno, "read " + path_.string());
    }
    if (got == 0) {
      return Error(ErrorCode::kCorrupt,
                   path_.string() + ": ends before byte " + std::to_string(offset + out.size()));
    }
    done += static_cast<std::size_t>(got);
  }
  return {};
}

Result<MappedFile> MappedFile::open(const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return errno_error(errno, "open " + path.string());
  struct stat info {};
  if (::fstat(fd, &info) != 0) {
    const int why = errno;
    ::close(fd);
    return errno_error(why, "stat " + path.string());
  }
  const auto size = static_cast<std::size_t>(info.st_size);
  if (size == 0) {
    ::close(fd);
    return MappedFile(path.string(), {});
  }
  void* const at = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, fd, 0);
  const int why = errno;
  ::close(fd);
  if (at == MAP_FAILED) return errno_error(why, "map " + path.string());  // NOLINT: POSIX macro
  return MappedFile(path.string(), {static_cast<const std::byte*>(at), size});
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) {
    ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());  // NOLINT: POSIX signature
  }
}

Status MappedFile::read_exactly(std::uint64_t offset, std::span<std::byte> out) const {
  return BytesReader(bytes_, name_).read_exactly(offset, out);
}

Result<Bytes> read_file(const std::filesystem::path& path) {
  TRY_ASSIGN(const auto file, File::open(path));
  TRY_ASSIGN(const auto size, file.size());
  Bytes bytes(size);
  TRY(file.read_exactly(0, bytes));
  return bytes;
}

Status write_file(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  std::error_code failed;
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), failed);
  if (failed) return errno_error(failed.value(), "create folder of " + path.string());
  auto temporary = path;
  temporary += "#" + std::to_string(random_u64());
  {
    std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
    out.write(as_text(bytes).data(), static_cast<std::streamsize>(bytes.size()));
    out.close();
    if (!out) {
      const int why = errno;
      std::filesystem::remove(temporary, failed);
      return errno_error(why, "write " + path.string());
    }
  }
  std::filesystem::rename(temporary, path, failed);
  if (failed) return errno_error(failed.value(), "rename to " + path.string());
  return {};
}

}  // namespace icefield::core
