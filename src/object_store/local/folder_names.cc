#include "object_store/local/folder_names.h"

#include <algorithm>
#include <cerrno>
#include <memory>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "object_store/key_rules.h"
#include "object_store/local/file_state.h"

namespace icefield::object_store {
namespace {

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

enum class Kind { kFile, kFolder, kOther };

Kind kind_of(int folder, const dirent& entry) {
  if (entry.d_type == DT_REG) return Kind::kFile;
  if (entry.d_type == DT_DIR) return Kind::kFolder;
  if (entry.d_type != DT_LNK && entry.d_type != DT_UNKNOWN) return Kind::kOther;
  struct stat status {};
  if (::fstatat(folder, entry.d_name, &status, 0) != 0) return Kind::kOther;
  if (S_ISREG(status.st_mode)) return Kind::kFile;
  return S_ISDIR(status.st_mode) ? Kind::kFolder : Kind::kOther;
}

// The entry as it sorts, empty when it does not count.
std::string counted_name(int folder, const dirent& entry, EntryFilter filter) {
  std::string name = entry.d_name;
  if (name == "." || name == "..") return {};
  switch (kind_of(folder, entry)) {
    case Kind::kFolder:
      return name + '/';
    case Kind::kFile:
      if (is_temporary_name(name) == (filter == EntryFilter::kTemporaryFilesAndFolders)) {
        return name;
      }
      return {};
    case Kind::kOther:
      return {};
  }
  return {};
}

// Keeps the `limit` smallest of the names; true when some were dropped.
bool keep_smallest(std::vector<std::string>& names, std::size_t limit) {
  if (names.size() <= limit) return false;
  std::ranges::nth_element(names, names.begin() + static_cast<std::ptrdiff_t>(limit));
  names.resize(limit);
  return true;
}

}  // namespace

core::Result<FolderNames> read_names(const std::string& folder, std::string_view start,
                                     std::string_view after, EntryFilter filter,
                                     std::size_t limit) {
  const std::unique_ptr<DIR, CloseFolder> open(::opendir(folder.c_str()));
  if (!open) {
    if (errno == ENOENT || errno == ENOTDIR) return FolderNames{};
    return file_error(errno, "list folder " + folder);
  }
  const int fd = ::dirfd(open.get());
  FolderNames found;
  for (;;) {
    errno = 0;
    const dirent* const entry = ::readdir(open.get());  // NOLINT: the stream is this call's own
    if (entry == nullptr) break;
    if (!std::string_view(entry->d_name).starts_with(start)) continue;
    auto name = counted_name(fd, *entry, filter);
    if (name.empty() || name <= after) continue;
    found.names.push_back(std::move(name));
    if (found.names.size() >= 2 * limit) found.more |= keep_smallest(found.names, limit);
  }
  if (errno != 0) return file_error(errno, "list folder " + folder);
  found.more |= keep_smallest(found.names, limit);
  std::ranges::sort(found.names);
  return found;
}

}  // namespace icefield::object_store
