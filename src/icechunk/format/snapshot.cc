#include "icechunk/format/snapshot.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/text.h"
#include "icechunk/format/path.h"

namespace icefield::icechunk {
namespace {

core::Error corrupt(std::string message) {
  return core::Error(core::ErrorCode::kCorrupt, std::move(message));
}

template <typename Nodes>
auto find_node(Nodes& nodes, std::string_view path) -> decltype(nodes.data()) {
  const auto at = std::ranges::lower_bound(nodes, path, {}, &Node::path);
  return at != nodes.end() && at->path == path ? &*at : nullptr;
}

core::Status check_array(const Node& node) {
  const ArrayData& array = *node.array;
  const std::size_t rank = array.shape.size();
  const auto refuse = [&node](std::string_view what) {
    return corrupt(core::text("array ", node.path, ": ", what));
  };
  if (array.dimension_names && array.dimension_names->size() != rank) {
    return refuse("as many dimension names as dimensions are needed");
  }
  for (const ManifestRef& ref : array.manifests) {
    if (ref.extents.rank() != rank) return refuse("a manifest's box has another rank");
    if (ref.extents.volume() == 0) return refuse("a manifest's box is empty");
  }
  return {};
}

/// True when two boxes of the list meet. Sorted by where they begin along the first dimension,
/// a box needs comparing only with those that begin before it ends.
bool boxes_meet(const ManifestList& manifests) {
  const bool scalar = !manifests.empty() && manifests[0].extents.rank() == 0;
  if (scalar) return manifests.size() > 1;
  std::vector<const ChunkBox*> boxes;
  boxes.reserve(manifests.size());
  for (const ManifestRef& ref : manifests) boxes.push_back(&ref.extents);
  std::ranges::sort(boxes, {}, [](const ChunkBox* box) { return (*box)[0].from; });
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (std::size_t j = i + 1; j < boxes.size() && (*boxes[j])[0].from < (*boxes[i])[0].to; ++j) {
      if (boxes[i]->meets(*boxes[j])) return true;
    }
  }
  return false;
}

}  // namespace

const ManifestRef* ArrayData::manifest_for(ChunkIndexView index) const {
  const auto at = std::ranges::find_if(
      manifests, [index](const ManifestRef& ref) { return ref.extents.contains(index); });
  return at == manifests.end() ? nullptr : &*at;
}

ChunkIndex ArrayData::num_chunks() const {
  ChunkIndex chunks;
  chunks.reserve(shape.size());
  for (const DimensionShape& dimension : shape) chunks.push_back(dimension.num_chunks);
  return chunks;
}

const Node* Snapshot::find(std::string_view path) const {
  return find_node(nodes, path);
}
Node* Snapshot::find(std::string_view path) {
  return find_node(nodes, path);
}

const ManifestFile* Snapshot::find_manifest(const ManifestId& manifest) const {
  const auto at = std::ranges::lower_bound(manifest_files, manifest, {}, &ManifestFile::id);
  return at != manifest_files.end() && at->id == manifest ? &*at : nullptr;
}

NodeSpan nodes_below(const Snapshot& snapshot, std::string_view path) {
  const auto& nodes = snapshot.nodes;
  std::string first(path == "/" ? "" : path);
  std::string past = first;
  first += '/';
  past += '0';  // the character after '/'
  const auto begin = path == "/" ? std::ranges::upper_bound(nodes, "/", {}, &Node::path)
                                 : std::ranges::lower_bound(nodes, first, {}, &Node::path);
  const auto end = std::ranges::lower_bound(begin, nodes.end(), past, {}, &Node::path);
  return {.begin = static_cast<std::size_t>(begin - nodes.begin()),
          .end = static_cast<std::size_t>(end - nodes.begin())};
}

Snapshot initial_snapshot(core::Instant now) {
  return {.id = kInitialSnapshotId,
          .flushed_at = now,
          .message = "Repository initialized",
          .metadata = {{"__icechunk", core::Json::object({{"is_root", true}})}}};
}

core::Status put_in_order(Snapshot& snapshot) {
  std::ranges::sort(snapshot.nodes, {}, &Node::path);
  const auto twice = std::ranges::adjacent_find(snapshot.nodes, {}, &Node::path);
  if (twice != snapshot.nodes.end()) {
    return core::Error(core::ErrorCode::kInvalidArgument,
                       core::text("two nodes at path ", twice->path));
  }
  std::unordered_set<ManifestId> used;
  const void* last = nullptr;  // neighbours often share one list
  for (const Node& node : snapshot.nodes) {
    if (!node.array || node.array->manifests.refs().data() == last) continue;
    last = node.array->manifests.refs().data();
    for (const ManifestRef& ref : node.array->manifests) used.insert(ref.id);
  }
  auto& files = snapshot.manifest_files;
  std::ranges::sort(files, {}, &ManifestFile::id);
  files.erase(std::unique(files.begin(), files.end(),
                          [](const auto& left, const auto& right) { return left.id == right.id; }),
              files.end());
  std::erase_if(files, [&used](const ManifestFile& file) { return used.erase(file.id) == 0; });
  if (!used.empty()) {
    return core::Error(core::ErrorCode::kInvalidArgument,
                       core::text("manifest ", used.begin()->text(), " has no file entry"));
  }
  return {};
}

core::Status check_snapshot(const Snapshot& snapshot) {
  std::unordered_set<ManifestId> used;
  std::unordered_set<NodeId> ids;
  const Node* last = nullptr;
  for (const Node& node : snapshot.nodes) {
    if (!ids.insert(node.id).second) {
      return corrupt(core::text("node ", node.path, " has the id of another"));
    }
    if (auto path = check_path(node.path); !path) return corrupt(path.error().message());
    if (last != nullptr && last->path >= node.path) {
      return corrupt(core::text("nodes ", last->path, " and ", node.path, " are out of order"));
    }
    last = &node;
    if (!node.array) continue;
    TRY(check_array(node));
    if (boxes_meet(node.array->manifests)) {
      return corrupt(core::text("array ", node.path, ": the boxes of two manifests meet"));
    }
    for (const ManifestRef& ref : node.array->manifests) {
      used.insert(ref.id);
      if (snapshot.find_manifest(ref.id) == nullptr) {
        return corrupt(core::text("array ", node.path, ": manifest ", ref.id.text(),
                                  " is not in the list of files"));
      }
    }
  }
  const auto& files = snapshot.manifest_files;
  if (std::ranges::adjacent_find(files, std::greater_equal{}, &ManifestFile::id) != files.end()) {
    return corrupt("manifest files are out of order");
  }
  if (used.size() != files.size()) return corrupt("a manifest file that no array refers to");
  return {};
}

}  // namespace icefield::icechunk
