#include "icechunk/commit/repository.h"

#include <algorithm>
#include <utility>

#include "core/text.h"
#include "icechunk/assets/asset_store.h"
#include "icechunk/assets/keys.h"
#include "icechunk/assets/legacy_refs.h"
#include "icechunk/format/repo_update.h"
#include "icechunk/session/session_state.h"

namespace icefield::icechunk {
namespace {

core::Result<bool> has(const object_store::ObjectStore& store, const object_store::Key& key) {
  const auto info = store.head(key);
  if (info) return true;
  if (info.error().code() == core::ErrorCode::kNotFound) return false;
  return info.error();
}

RepositoryConfig merged_config(const RepoInfo& repo, const RepositoryOptions& options) {
  return repo.config.value_or(RepositoryConfig()).merged_with(options.config);
}

/// The containers of a configuration with those of the same name replaced; new names are added.
std::vector<VirtualContainer> containers_in_use(const RepositoryConfig& config,
                                                const RepositoryOptions& options) {
  auto containers = config.containers();
  for (const VirtualContainer& other : options.repointed) {
    const auto same = std::ranges::find(containers, other.name, &VirtualContainer::name);
    if (other.name && same != containers.end()) {
      *same = other;
    } else {
      containers.push_back(other);
    }
  }
  return containers;
}

bool needs_credentials(const VirtualContainer& container) {
  switch (container.kind) {
    case StoreKind::kS3:
    case StoreKind::kS3Compatible:
    case StoreKind::kTigris:
      return !container.s3.anonymous;
    case StoreKind::kGcs:
    case StoreKind::kAzure:
      return true;
    case StoreKind::kHttp:
    case StoreKind::kLocal:
    case StoreKind::kMemory:
      return false;
  }
  return true;
}

core::Result<SnapshotId> as_of(const RepoInfo& repo, const AsOf& wanted) {
  TRY_ASSIGN(const auto tip, repo.branch_tip(wanted.branch.value()));
  TRY_ASSIGN(const auto ancestry, repo.ancestry(tip));
  for (const SnapshotInfo* snapshot : ancestry) {
    if (snapshot->flushed_at <= wanted.time) return snapshot->id;
  }
  return core::Error(core::ErrorCode::kNotFound,
                     core::text("branch ", wanted.branch.value(), " has no snapshot as old as ",
                                core::format_instant(wanted.time)));
}

core::Result<SnapshotId> resolve_in(const RepoInfo& repo, const VersionName& version) {
  if (const auto* branch = std::get_if<BranchName>(&version))
    return repo.branch_tip(branch->value());
  if (const auto* tag = std::get_if<TagName>(&version)) return repo.tag_target(tag->value());
  if (const auto* at = std::get_if<AsOf>(&version)) return as_of(repo, *at);
  const auto& id = std::get<SnapshotId>(version);
  if (repo.find(id) != nullptr) return id;
  return core::Error(core::ErrorCode::kNotFound, "there is no snapshot " + id.text());
}

}  // namespace

core::Result<bool> Repository::exists(const object_store::ObjectStore& store) {
  TRY_ASSIGN(const bool present, has(store, repo_key()));
  if (present) return true;
  return has_legacy_refs(store);
}

core::Result<Repository> Repository::open(std::shared_ptr<object_store::ObjectStore> store,
                                          RepositoryOptions options) {
  auto assets = std::make_shared<AssetStore>(std::move(store), options.cache_bytes, options.clock);
  const auto state = assets->repo();
  if (!state) {
    if (state.error().code() != core::ErrorCode::kNotFound) return state.error();
    return core::Error(core::ErrorCode::kNotFound,
                       "there is no repository at " + assets->store().location());
  }
  return Repository(std::move(assets),
                    std::make_shared<const RepositoryOptions>(std::move(options)));
}

core::Result<std::shared_ptr<const RepoInfo>> Repository::info() const {
  TRY_ASSIGN(auto state, assets_->repo());
  return std::move(state.info);
}

core::Result<SnapshotId> Repository::resolve(const VersionName& version) const {
  TRY_ASSIGN(const auto repo, info());
  return resolve_in(*repo, version);
}

core::Result<SnapshotId> Repository::tip(std::string_view branch) const {
  return resolve(BranchName(std::string(branch)));
}

core::Result<std::vector<SnapshotInfo>> Repository::ancestry(const SnapshotId& from) const {
  TRY_ASSIGN(const auto repo, info());
  TRY_ASSIGN(const auto found, repo->ancestry(from));
  std::vector<SnapshotInfo> all;
  all.reserve(found.size());
  for (const SnapshotInfo* snapshot : found) all.push_back(*snapshot);
  return all;
}

core::Result<RepositoryConfig> Repository::config() const {
  TRY_ASSIGN(const auto repo, info());
  return merged_config(*repo, *options_);
}

core::Result<std::vector<ContainerNeed>> Repository::containers() const {
  TRY_ASSIGN(const auto merged, config());
  std::vector<ContainerNeed> needs;
  for (VirtualContainer& container : containers_in_use(merged, *options_)) {
    ContainerNeed need;
    need.needs_credentials = needs_credentials(container);
    need.authorized = options_->access.find(container.url_prefix) != nullptr;
    need.container = std::move(container);
    needs.push_back(std::move(need));
  }
  return needs;
}

core::Result<Session> Repository::session(const RepoInfo& repo, const SnapshotId& base,
                                          std::optional<std::string> branch) const {
  TRY_ASSIGN(auto snapshot, assets_->snapshot(base));
  auto context = std::make_shared<SessionContext>();
  context->assets = assets_;
  context->config = merged_config(repo, *options_);
  context->containers = containers_in_use(context->config, *options_);
  context->access = options_->access;
  context->workers = options_->workers;
  return Session(
      std::make_unique<SessionState>(std::move(context), std::move(snapshot), std::move(branch)));
}

core::Result<Session> Repository::writable_session(std::string_view branch) const {
  TRY_ASSIGN(const auto repo, info());
  TRY(require_online(*repo));
  TRY_ASSIGN(const auto base, repo->branch_tip(branch));
  return session(*repo, base, std::string(branch));
}

core::Result<Session> Repository::readonly_session(const VersionName& version) const {
  TRY_ASSIGN(const auto repo, info());
  TRY_ASSIGN(const auto base, resolve_in(*repo, version));
  return session(*repo, base, std::nullopt);
}

}  // namespace icefield::icechunk
