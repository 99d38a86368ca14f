#pragma once

#include <filesystem>
#include <string>

namespace icefield::object_store_testing {

/// A new, empty folder under the system's folder for temporary files, removed with all its content
/// by the destructor.
class ScratchFolder {
 public:
  ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder();

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace icefield::object_store_testing
