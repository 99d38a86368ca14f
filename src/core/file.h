#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>

#include "core/bytes.h"
#include "core/range_reader.h"
#include "core/result.h"

namespace icefield::core {

/// An open file descriptor; closed exactly once, by the destructor.
/// Movable, not copyable. Reads at explicit offsets, so one File may serve many threads.
class File {
 public:
  /// Errors: kNotFound, kPermissionDenied, kUnavailable (any other errno).
  static Result<File> open(const std::filesystem::path& path);

  File(File&& other) noexcept : path_(std::move(other.path_)), fd_(std::exchange(other.fd_, -1)) {}
  File& operator=(File&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(fd_, other.fd_);
    return *this;
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File();

  /// Bytes in the file now.
  Result<std::uint64_t> size() const;

  /// Fills all of `out` from byte `offset`. Errors: kCorrupt when the file ends first.
  Status read_exactly(std::uint64_t offset, std::span<std::byte> out) const;

 private:
  File(std::filesystem::path path, int fd) : path_(std::move(path)), fd_(fd) {}
  std::filesystem::path path_;
  int fd_;
};

/// A whole file mapped for reading. The mapping lives as long as the object; a file that shrinks
/// while it is mapped ends the process with SIGBUS, so use it only for files nobody rewrites.
class MappedFile final : public RangeReader {
 public:
  static Result<MappedFile> open(const std::filesystem::path& path);

  MappedFile(MappedFile&& other) noexcept
      : name_(std::move(other.name_)), bytes_(std::exchange(other.bytes_, {})) {}
  MappedFile& operator=(MappedFile&&) = delete;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile() override;

  std::span<const std::byte> bytes() const { return bytes_; }

  std::uint64_t size() const override { return bytes_.size(); }
  const std::string& name() const override { return name_; }
  Status read_exactly(std::uint64_t offset, std::span<std::byte> out) const override;

 private:
  MappedFile(std::string name, std::span<const std::byte> bytes)
      : name_(std::move(name)), bytes_(bytes) {}
  std::string name_;
  std::span<const std::byte> bytes_;
};

/// The whole file. Errors as File::open.
Result<Bytes> read_file(const std::filesystem::path& path);

/// Replaces `path` by `bytes` so that a reader sees the old or the new content, never a part:
/// writes a temporary file in the same folder (made if absent) and renames it.
Status write_file(const std::filesystem::path& path, std::span<const std::byte> bytes);

/// An Error whose code follows from errno: kNotFound, kPermissionDenied or kUnavailable.
Error errno_error(int error_number, const std::string& doing);

}  // namespace icefield::core
