#include "icechunk/format/repo_info.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/text.h"

namespace icefield::icechunk {
namespace {

template <typename Snapshots>
auto find_in(Snapshots& snapshots, const SnapshotId& id) -> decltype(snapshots.data()) {
  const auto at = std::ranges::lower_bound(snapshots, id, {}, &SnapshotInfo::id);
  return at != snapshots.end() && at->id == id ? &*at : nullptr;
}

template <typename Refs>
core::Result<SnapshotId> find_ref(const Refs& refs, std::string_view kind, std::string_view name) {
  const auto at = refs.find(name);
  if (at == refs.end()) {
    return core::Error(core::ErrorCode::kNotFound, core::text("no ", kind, " ", name));
  }
  return at->second;
}

}  // namespace

const SnapshotInfo* RepoInfo::find(const SnapshotId& id) const {
  return find_in(snapshots, id);
}
SnapshotInfo* RepoInfo::find(const SnapshotId& id) {
  return find_in(snapshots, id);
}

core::Result<SnapshotId> RepoInfo::branch_tip(std::string_view branch) const {
  return find_ref(branches, "branch", branch);
}

core::Result<SnapshotId> RepoInfo::tag_target(std::string_view tag) const {
  return find_ref(tags, "tag", tag);
}

core::Result<std::vector<const SnapshotInfo*>> RepoInfo::ancestry(const SnapshotId& from) const {
  const SnapshotInfo* at = find(from);
  if (at == nullptr) {
    return core::Error(core::ErrorCode::kNotFound, core::text("no snapshot ", from.text()));
  }
  std::vector<const SnapshotInfo*> line{at};
  while (at->parent) {
    const SnapshotInfo* const parent = find(*at->parent);
    if (parent == nullptr) {
      return core::Error(core::ErrorCode::kCorrupt,
                         core::text("snapshot ", at->parent->text(), ", the parent of ",
                                    at->id.text(), ", is not in the repository"));
    }
    if (line.size() > snapshots.size()) {
      return core::Error(core::ErrorCode::kCorrupt,
                         core::text("the ancestry of snapshot ", from.text(), " is a ring"));
    }
    line.push_back(parent);
    at = parent;
  }
  return line;
}

}  // namespace icefield::icechunk
