#include "icechunk/maintenance/describe.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "core/sha256.h"
#include "core/text.h"
#include "icechunk/assets/asset_store.h"
#include "icechunk/maintenance/operations.h"

namespace icefield::icechunk {
namespace {

using core::Json;

constexpr std::size_t kShownInFull = 256;
constexpr std::size_t kShownAtEnds = 3;
constexpr std::int64_t kSpecVersion = 2;
constexpr std::int64_t kLegacyVersion = 1;

std::string hex(std::span<const std::byte> bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const std::byte byte : bytes) {
    text += kDigits[std::to_integer<unsigned>(byte) >> 4U];
    text += kDigits[std::to_integer<unsigned>(byte) & 15U];
  }
  return text;
}

template <typename Ids>
Json id_list(const Ids& ids) {
  Json::Array list;
  for (const auto& id : ids) list.emplace_back(id.text());
  return list;
}

Json refs_of(const std::map<std::string, SnapshotId, std::less<>>& refs) {
  Json::Object members;
  for (const auto& [name, target] : refs) members.emplace_back(name, target.text());
  return members;
}

Json line_of(const ChunkEntry& entry) {
  Json::Array coordinates;
  for (const std::uint32_t number : entry.index) coordinates.emplace_back(number);
  Json line = Json::object({{"coord", std::move(coordinates)}});
  if (const auto* small = std::get_if<InlineView>(&entry.reference)) {
    line.set("kind", "inline");
    line.set("offset", 0);
    line.set("length", std::uint64_t{small->bytes.size()});
    line.set("data", hex(small->bytes));
    return line;
  }
  const auto* native = std::get_if<NativeChunk>(&entry.reference);
  const auto* source = std::get_if<VirtualView>(&entry.reference);
  const core::ByteRange range = native != nullptr ? native->range : source->range;
  line.set("kind", native != nullptr ? "native" : "virtual");
  line.set("offset", range.offset);
  line.set("length", range.length);
  if (native != nullptr) {
    line.set("chunk_id", native->id.text());
    return line;
  }
  line.set("location", source->location);
  line.set("etag", source->entity_tag.empty() ? Json() : Json(source->entity_tag));
  line.set("last_modified", source->last_modified == 0 ? Json() : Json(source->last_modified));
  return line;
}

std::string python_text(const Json& value) {
  return value.dump({.ascii = true, .sort_names = true, .spaced = true});
}

core::Status add_references(const Session& session, const Node& node, bool in_full, Json& shown) {
  Json::Array lines;
  TRY(session.for_each_chunk(node.path, [&lines](const ChunkEntry& entry) {
    lines.push_back(line_of(entry));
    return true;
  }));
  shown.set("num_refs", std::uint64_t{lines.size()});
  shown.set("refs_sha256", core::sha256_hex(core::as_bytes(python_text(Json(lines)))));
  if (!in_full) return {};
  if (lines.size() > kShownInFull) {
    lines.erase(lines.begin() + kShownAtEnds, lines.end() - kShownAtEnds);
  }
  shown.set("refs", std::move(lines));
  return {};
}

void add_geometry(const ArrayData& array, Json& shown) {
  Json::Array shape;
  Json::Array chunks;
  for (const DimensionShape& dimension : array.shape) {
    shape.emplace_back(dimension.array_length);
    chunks.emplace_back(dimension.num_chunks);
  }
  Json names;
  if (array.dimension_names) {
    Json::Array list;
    for (const auto& name : *array.dimension_names) list.push_back(name ? Json(*name) : Json());
    names = std::move(list);
  }
  Json::Array manifests;
  for (const ManifestRef& ref : array.manifests) {
    Json::Array extents;
    for (const ChunkRange& range : ref.extents.ranges()) {
      extents.push_back(Json::array({range.from, range.to}));
    }
    manifests.push_back(Json::object({{"id", ref.id.text()}, {"extents", std::move(extents)}}));
  }
  shown.set("shape", std::move(shape));
  shown.set("num_chunks", std::move(chunks));
  shown.set("dimension_names", std::move(names));
  shown.set("manifests", std::move(manifests));
}

core::Result<Json> describe_node(const Session& session, const Node& node, bool in_full) {
  Json shown = Json::object(
      {{"path", node.path}, {"id", node.id.text()}, {"kind", node.array ? "array" : "group"}});
  if (in_full) {
    shown.set("zarr_json", core::as_text(node.user_data.view()));
  } else {
    shown.set("zarr_json_sha256", core::sha256_hex(node.user_data.view()));
  }
  if (node.array) {
    add_geometry(*node.array, shown);
    TRY(add_references(session, node, in_full, shown));
  }
  return shown;
}

core::Result<Json> describe_snapshot(const Repository& repository, const SnapshotInfo& info,
                                     bool in_full) {
  TRY_ASSIGN(const auto metadata, decode_metadata(info.metadata));
  TRY_ASSIGN(const auto session, repository.readonly_session(info.id));
  TRY_ASSIGN(const auto snapshot, repository.assets()->snapshot(info.id));
  Json::Array nodes;
  for (const Node& node : snapshot->nodes) {
    TRY_ASSIGN(auto shown, describe_node(session, node, in_full));
    nodes.push_back(std::move(shown));
  }
  return Json::object({{"parent", info.parent ? Json(info.parent->text()) : Json()},
                       {"flushed_at", std::int64_t{info.flushed_at.time_since_epoch().count()}},
                       {"message", info.message},
                       {"metadata", metadata},
                       {"pruned_ancestor_tx_logs", id_list(info.pruned_ancestor_tx_logs)},
                       {"nodes", std::move(nodes)}});
}

/// As in descriptions by others: a flag that the file leaves out at its default is the number 0.
Json flag_of(bool flag) {
  return flag ? Json(true) : Json(0);
}

// One function per kind of operation, named as on the wire.
struct OperationMembers {
  Json operator()(const update::RepoInitialized& /*kind*/) const {
    return Json::object({{"kind", "RepoInitializedUpdate"}});
  }
  Json operator()(const update::RepoMigrated& kind) const {
    return Json::object({{"kind", "RepoMigratedUpdate"},
                         {"from_version", std::int64_t{kind.from}},
                         {"to_version", std::int64_t{kind.to}}});
  }
  Json operator()(const update::ConfigChanged& /*kind*/) const {
    return Json::object({{"kind", "ConfigChangedUpdate"}});
  }
  Json operator()(const update::MetadataChanged& /*kind*/) const {
    return Json::object({{"kind", "MetadataChangedUpdate"}});
  }
  Json operator()(const update::TagCreated& kind) const {
    return Json::object({{"kind", "TagCreatedUpdate"}, {"name", kind.name}});
  }
  Json operator()(const update::TagDeleted& kind) const {
    return Json::object({{"kind", "TagDeletedUpdate"},
                         {"name", kind.name},
                         {"previous_snap_id", kind.previous.text()}});
  }
  Json operator()(const update::BranchCreated& kind) const {
    return Json::object({{"kind", "BranchCreatedUpdate"}, {"name", kind.name}});
  }
  Json operator()(const update::BranchDeleted& kind) const {
    return Json::object({{"kind", "BranchDeletedUpdate"},
                         {"name", kind.name},
                         {"previous_snap_id", kind.previous.text()}});
  }
  Json operator()(const update::BranchReset& kind) const {
    return Json::object({{"kind", "BranchResetUpdate"},
                         {"name", kind.name},
                         {"previous_snap_id", kind.previous.text()}});
  }
  Json operator()(const update::NewCommit& kind) const {
    return Json::object(
        {{"kind", "NewCommitUpdate"}, {"branch", kind.branch}, {"new_snap_id", kind.made.text()}});
  }
  Json operator()(const update::CommitAmended& kind) const {
    return Json::object({{"kind", "CommitAmendedUpdate"},
                         {"branch", kind.branch},
                         {"previous_snap_id", kind.previous.text()},
                         {"new_snap_id", kind.made.text()}});
  }
  Json operator()(const update::NewDetachedSnapshot& kind) const {
    return Json::object({{"kind", "NewDetachedSnapshotUpdate"}, {"new_snap_id", kind.made.text()}});
  }
  Json operator()(const update::GcRan& /*kind*/) const {
    return Json::object({{"kind", "GCRanUpdate"}});
  }
  Json operator()(const update::ExpirationRan& /*kind*/) const {
    return Json::object({{"kind", "ExpirationRanUpdate"}});
  }
  Json operator()(const update::FeatureFlagChanged& kind) const {
    return Json::object({{"kind", "FeatureFlagChangedUpdate"},
                         {"id", std::int64_t{kind.flag}},
                         {"new_value", flag_of(kind.value)},
                         {"is_set", flag_of(kind.is_set)}});
  }
  Json operator()(const update::RepoStatusChanged& /*kind*/) const {
    return Json::object({{"kind", "RepoStatusChangedUpdate"}});
  }
};

}  // namespace

core::Result<Json> describe(const Repository& repository) {
  TRY_ASSIGN(const auto state, repository.assets()->repo());
  const RepoInfo& repo = *state.info;
  std::set<SnapshotId> tips;
  for (const auto* refs : {&repo.branches, &repo.tags}) {
    for (const auto& [name, target] : *refs) tips.insert(target);
  }
  std::vector<const SnapshotInfo*> by_time;
  for (const SnapshotInfo& snapshot : repo.snapshots) by_time.push_back(&snapshot);
  std::ranges::sort(by_time, {}, &SnapshotInfo::flushed_at);
  Json::Object snapshots;
  for (const SnapshotInfo* snapshot : by_time) {
    TRY_ASSIGN(auto shown, describe_snapshot(repository, *snapshot, tips.contains(snapshot->id)));
    snapshots.emplace_back(snapshot->id.text(), std::move(shown));
  }
  Json::Array operations;
  if (!state.legacy) {
    TRY_ASSIGN(const auto log, read_operations(repository));
    for (const Update& update : log) {
      operations.push_back(std::visit(OperationMembers{}, update.kind));
    }
  }
  Json::Array deleted_tags;
  for (const std::string& tag : repo.deleted_tags) deleted_tags.emplace_back(tag);
  TRY_ASSIGN(const auto metadata, decode_metadata(repo.metadata));
  return Json::object(
      {{"spec_version", state.legacy ? kLegacyVersion : kSpecVersion},
       {"branches", refs_of(repo.branches)},
       {"tags", refs_of(repo.tags)},
       {"deleted_tags", std::move(deleted_tags)},
       {"snapshots", std::move(snapshots)},
       {"metadata", metadata},
       {"config", repo.config && !state.legacy ? repo.config->json() : Json()},
       {"availability", state.legacy ? Json() : Json(static_cast<int>(repo.status.availability))},
       {"operations", std::move(operations)}});
}

}  // namespace icefield::icechunk
