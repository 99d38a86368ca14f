#include "object_store/local/folder_walk.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "object_store/key_rules.h"
#include "object_store/local/file_state.h"
#include "object_store/local/folder_names.h"

namespace icefield::object_store {
namespace {

constexpr std::size_t kPage = 1000;              // entries given to the visitor at once
constexpr std::size_t kNamesAtOnce = 1U << 16U;  // held per level of folders: about 5 MB

using FolderId = std::pair<dev_t, ino_t>;

class Walk {
 public:
  // All of them must outlive the walk.
  Walk(const std::string& root, const ListOptions& options, EntryFilter filter,
       const std::function<bool(const ListPage&)>& visit)
      : root_(root), options_(options), filter_(filter), visit_(visit) {}

  core::Status run() {
    const auto slash = options_.prefix.rfind('/');
    const auto base =
        slash == std::string::npos ? std::string() : options_.prefix.substr(0, slash + 1);
    TRY(enter(base));
    if (!stopped_ && !empty(page_)) visit_(page_);
    return {};
  }

 private:
  static bool empty(const ListPage& page) { return page.objects.empty() && page.folders.empty(); }

  // Everything below `folder`: "" or segments ending in '/'.
  core::Status enter(const std::string& folder) {
    const auto path = root_ + "/" + folder;
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) {
      if (errno == ENOENT || errno == ENOTDIR) return {};
      return file_error(errno, "list folder " + path);
    }
    const FolderId id{status.st_dev, status.st_ino};
    if (std::ranges::find(above_, id) != above_.end()) return {};  // a link back up: a loop
    above_.push_back(id);
    auto done = read_folder(folder, path);
    above_.pop_back();
    return done;
  }

  core::Status read_folder(const std::string& folder, const std::string& path) {
    const auto start = options_.prefix.size() > folder.size()
                           ? std::string_view(options_.prefix).substr(folder.size())
                           : std::string_view();
    std::string after;
    for (bool more = true; more && !stopped_;) {
      TRY_ASSIGN(const auto found, read_names(path, start, after, filter_, kNamesAtOnce));
      for (const auto& name : found.names) {
        if (stopped_) break;
        TRY(name.back() == '/' ? take_folder(folder + name) : take_file(folder + name));
      }
      more = found.more;
      if (more) after = found.names.back();
    }
    return {};
  }

  core::Status take_folder(const std::string& folder) {
    const auto& after = options_.start_after;
    if (folder < after && !after.starts_with(folder)) return {};  // all its keys come before
    if (options_.recursive) return enter(folder);
    if (folder <= after) return {};
    const ListOptions below{.prefix = folder};
    bool any = false;
    const std::function<bool(const ListPage&)> first = [&any](const ListPage& /*page*/) {
      any = true;
      return false;
    };
    Walk inside(root_, below, filter_, first);
    inside.page_limit_ = 1;
    TRY(inside.run());
    if (!any) return {};
    page_.folders.push_back(folder);
    give_when_full();
    return {};
  }

  core::Status take_file(const std::string& key) {
    if (key <= options_.start_after) return {};
    auto info = file_info(Key(key), root_ + "/" + key);
    if (!info) {
      if (info.error().code() == core::ErrorCode::kNotFound) return {};
      return std::move(info).error();
    }
    page_.objects.push_back(*std::move(info));
    give_when_full();
    return {};
  }

  void give_when_full() {
    if (page_.objects.size() + page_.folders.size() < page_limit_) return;
    stopped_ = !visit_(page_);
    page_ = {};
  }

  const std::string& root_;
  const ListOptions& options_;
  EntryFilter filter_;
  const std::function<bool(const ListPage&)>& visit_;
  std::size_t page_limit_ = kPage;
  std::vector<FolderId> above_;
  ListPage page_;
  bool stopped_ = false;
};

// True when the file was removed: nobody has it locked, and it is still what was listed.
bool remove_unowned(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return false;
  const bool removed = ::flock(fd, LOCK_EX | LOCK_NB) == 0 && ::unlink(path.c_str()) == 0;
  ::close(fd);
  return removed;
}

}  // namespace

core::Status walk_folder(const std::string& root, const ListOptions& options,
                         const std::function<bool(const ListPage&)>& visit) {
  if (!may_start_a_key(options.prefix)) return {};
  return Walk(root, options, EntryFilter::kObjectsAndFolders, visit).run();
}

core::Result<std::size_t> remove_temporary_files(const std::string& root,
                                                 core::Instant older_than) {
  std::size_t removed = 0;
  const ListOptions everything;
  const std::function<bool(const ListPage&)> visit = [&](const ListPage& page) {
    for (const auto& object : page.objects) {
      if (object.last_modified >= older_than) continue;
      if (remove_unowned(root + "/" + object.key.value())) ++removed;
    }
    return true;
  };
  TRY(Walk(root, everything, EntryFilter::kTemporaryFilesAndFolders, visit).run());
  return removed;
}

}  // namespace icefield::object_store
