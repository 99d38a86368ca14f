#include "coordination/store_setup.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/text.h"
#include "icechunk/commit/commit.h"
#include "icechunk/commit/refs.h"
#include "icechunk/format/splitting.h"
#include "region_job/store_tree.h"

namespace icefield::coordination {
namespace {

using core::Error;
using core::ErrorCode;

constexpr std::string_view kFileScheme = "file://";

core::Result<icechunk::VirtualContainer> container_of(const source::SourceLocation& location) {
  const auto& declared = *location.container;
  if (location.redirected) {
    if (!location.url.starts_with(kFileScheme)) {
      return Error(
          ErrorCode::kUnsupported,
          core::text("a source can be redirected to a local folder only, not to ", location.url));
    }
    return icechunk::local_container(declared.name, location.url.substr(kFileScheme.size()));
  }
  if (declared.kind != dataset::ContainerKind::kS3) {
    return Error(ErrorCode::kUnsupported, core::text("container ", declared.url_prefix,
                                                     " is of a kind that needs explicit "
                                                     "credentials"));
  }
  return icechunk::anonymous_s3_container(declared.name, declared.url_prefix, declared.region);
}

icechunk::SplitRule split_rule(const dataset::ManifestSplit& split) {
  using Array = icechunk::ArrayCondition;
  using Axis = icechunk::AxisCondition;
  Array condition;
  if (!split.path_matches.empty()) {
    condition = {
        .kind = Array::Kind::kPathMatches, .parts = {}, .regex = std::string(split.path_matches)};
  }
  return {.condition = std::move(condition),
          .sizes = {{.condition = {.kind = Axis::Kind::kDimensionName,
                                   .axis = 0,
                                   .regex = core::text("^", split.dimension, "$")},
                     .num_chunks = split.size}}};
}

}  // namespace

core::Result<StoreState> store_state(const std::shared_ptr<object_store::ObjectStore>& store,
                                     const std::string& branch) {
  TRY_ASSIGN(const bool exists, icechunk::Repository::exists(*store));
  if (!exists) return StoreState::kAbsent;
  TRY_ASSIGN(const auto repository, icechunk::Repository::open(store));
  TRY_ASSIGN(const auto info, repository.info());
  if (info->branches.contains(branch)) return StoreState::kUnfinished;
  TRY_ASSIGN(const auto main, repository.readonly_session(icechunk::BranchName("main")));
  return main.nodes().empty() ? StoreState::kEmpty : StoreState::kPublished;
}

core::Result<icechunk::RepositoryConfig> store_config(const dataset::DatasetSpec& spec,
                                                      const source::Catalog& catalog) {
  auto config = icechunk::new_repository_config();
  for (const auto& location : catalog.locations()) {
    TRY_ASSIGN(const auto container, container_of(location));
    TRY(config.set_container(container));
  }
  icechunk::SplittingRules rules;
  for (const auto& split : spec.virtual_config->manifest_split) {
    rules.push_back(split_rule(split));
  }
  config.set_splitting(rules);
  return config;
}

std::vector<source::SourceOverride> persisted_overrides(const dataset::DatasetSpec& spec,
                                                        const icechunk::RepositoryConfig& config) {
  std::vector<source::SourceOverride> overrides;
  for (const auto& container : config.containers()) {
    if (container.kind != icechunk::StoreKind::kLocal || !container.name) continue;
    const auto declared =
        std::ranges::find(spec.virtual_config->containers, std::string_view(*container.name),
                          &dataset::Container::name);
    if (declared == spec.virtual_config->containers.end()) continue;
    overrides.push_back({.prefix = std::string(declared->url_prefix), .url = container.url_prefix});
  }
  return overrides;
}

core::Result<std::vector<icechunk::VirtualContainer>> repointed_containers(
    const source::Catalog& catalog) {
  std::vector<icechunk::VirtualContainer> containers;
  for (const auto& location : catalog.locations()) {
    TRY_ASSIGN(auto container, container_of(location));
    containers.push_back(std::move(container));
  }
  return containers;
}

core::Status set_up_branch(const icechunk::Repository& repository, const std::string& branch,
                           const dataset::Template& tree,
                           std::span<const dataset::CoordinateChunk> chunks,
                           const icechunk::Metadata& commit_metadata) {
  TRY_ASSIGN(const auto info, repository.info());
  if (!info->branches.contains(branch)) {
    TRY_ASSIGN(const auto main_tip, repository.tip("main"));
    TRY(icechunk::create_branch(repository, branch, main_tip));
  }
  TRY_ASSIGN(auto session, repository.writable_session(branch));
  TRY(region_job::write_tree(session, tree, chunks));
  if (!session.has_changes()) return {};
  auto done = icechunk::commit(session, "Expand dataset", commit_metadata);
  if (!done) return std::move(done).error();
  return {};
}

core::Status remove_store(object_store::ObjectStore& store) {
  const std::vector<object_store::Key> repo{object_store::Key("repo")};
  for (auto& removed : store.remove(repo)) TRY(std::move(removed));
  // Nothing but what a repository is made of: a stranger's file in the folder stays.
  constexpr const char* kParts[] = {"snapshots/",   "transactions/", "manifests/", "chunks/",
                                    "overwritten/", "refs/",         "config.yaml"};
  std::vector<object_store::Key> keys;
  for (const auto* const part : kParts) {
    TRY_ASSIGN(const auto objects, object_store::list_all(store, part));
    for (const auto& object : objects) keys.push_back(object.key);
  }
  for (auto& removed : store.remove(keys)) TRY(std::move(removed));
  return {};
}

}  // namespace icefield::coordination
