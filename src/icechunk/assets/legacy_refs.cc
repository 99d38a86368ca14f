#include "icechunk/assets/legacy_refs.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/json.h"
#include "core/text.h"
#include "icechunk/assets/asset_store.h"
#include "icechunk/format/config.h"
#include "icechunk/format/repo_update.h"

namespace icefield::icechunk {
namespace {

constexpr std::string_view kRefs = "refs/";
constexpr std::string_view kBranch = "branch.";
constexpr std::string_view kTag = "tag.";
constexpr std::string_view kFile = "/ref.json";
constexpr std::string_view kDeleted = "/ref.json.deleted";
constexpr std::string_view kConfig = "config.yaml";
constexpr std::string_view kMainRef = "refs/branch.main/ref.json";

core::Result<SnapshotId> read_ref(const object_store::ObjectStore& store,
                                  const object_store::Key& key) {
  TRY_ASSIGN(const auto object, store.get(key));
  const auto parsed = core::Json::parse(core::as_text(object.bytes));
  const core::Json* text = parsed ? parsed->find("snapshot") : nullptr;
  const auto id =
      text != nullptr && text->is_string() ? SnapshotId::parse(text->as_string()) : std::nullopt;
  if (id) return *id;
  return core::Error(core::ErrorCode::kCorrupt, key.value() + ": no snapshot id");
}

/// "branch.NAME/ref.json" gives NAME for the prefix "branch.".
std::optional<std::string> name_of(std::string_view file, std::string_view kind,
                                   std::string_view ending) {
  if (!file.starts_with(kind) || !file.ends_with(ending)) return std::nullopt;
  file.remove_prefix(kind.size());
  file.remove_suffix(ending.size());
  return std::string(file);
}

core::Status read_refs(const object_store::ObjectStore& store, RepoInfo& repo) {
  TRY_ASSIGN(const auto files, object_store::list_all(store, std::string(kRefs)));
  for (const auto& file : files) {
    const std::string_view name = std::string_view(file.key.value()).substr(kRefs.size());
    if (const auto tag = name_of(name, kTag, kDeleted)) repo.deleted_tags.insert(*tag);
  }
  for (const auto& file : files) {
    const std::string_view name = std::string_view(file.key.value()).substr(kRefs.size());
    const auto branch = name_of(name, kBranch, kFile);
    const auto tag = name_of(name, kTag, kFile);
    if (!branch && (!tag || repo.deleted_tags.contains(*tag))) continue;
    TRY_ASSIGN(const auto target, read_ref(store, file.key));
    if (branch) {
      repo.branches.emplace(*branch, target);
    } else {
      repo.tags.emplace(*tag, target);
    }
  }
  return {};
}

/// There only when a configuration was saved.
core::Status read_config(const object_store::ObjectStore& store, RepoInfo& repo) {
  const object_store::Key key{std::string(kConfig)};
  auto object = store.get(key);
  if (!object && object.error().code() == core::ErrorCode::kNotFound) return {};
  if (!object) return std::move(object).error();
  auto config = decode_config_yaml(object->bytes);
  if (!config) return std::move(config).error().within(key.value());
  repo.config = *std::move(config);
  return {};
}

core::Status read_ancestry(AssetStore& assets, const SnapshotId& from, RepoInfo& repo,
                           std::set<SnapshotId>& seen) {
  for (std::optional<SnapshotId> at = from; at && seen.insert(*at).second;) {
    TRY_ASSIGN(const auto snapshot, assets.snapshot(*at));
    TRY_ASSIGN(auto info, info_of(*snapshot, snapshot->parent_id));
    repo.snapshots.push_back(std::move(info));
    at = snapshot->parent_id;
  }
  return {};
}

}  // namespace

core::Result<bool> has_legacy_refs(const object_store::ObjectStore& store) {
  const auto info = store.head(object_store::Key(std::string(kMainRef)));
  if (info) return true;
  if (info.error().code() == core::ErrorCode::kNotFound) return false;
  return info.error();
}

core::Result<RepoInfo> read_legacy_refs(AssetStore& assets) {
  TRY_ASSIGN(const bool present, has_legacy_refs(assets.store()));
  if (!present) return core::Error(core::ErrorCode::kNotFound, "no refs of spec version 1");
  RepoInfo repo;
  TRY(read_refs(assets.store(), repo));
  TRY(read_config(assets.store(), repo));
  std::set<SnapshotId> seen;
  for (const auto* refs : {&repo.branches, &repo.tags}) {
    for (const auto& [name, target] : *refs) TRY(read_ancestry(assets, target, repo, seen));
  }
  std::ranges::sort(repo.snapshots, {}, &SnapshotInfo::id);
  return repo;
}

}  // namespace icefield::icechunk
