#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"
#include "dataset/spec.h"
#include "dataset/template.h"
#include "icechunk/commit/repository.h"
#include "icechunk/format/config.h"
#include "icechunk/format/metadata.h"
#include "object_store/object_store.h"
#include "source/catalog.h"

namespace icefield::coordination {

/// Where a store stands before a job touches it.
enum class StoreState {
  kAbsent,      // no repository; leftovers of an interrupted create count as none
  kEmpty,       // created, but main never got a dataset: an interrupted first run
  kUnfinished,  // the job's branch exists: an interrupted run
  kPublished,   // main holds a dataset
};

/// Errors: those of the repository.
core::Result<StoreState> store_state(const std::shared_ptr<object_store::ObjectStore>& store,
                                     const std::string& branch);

/// What a new store of the dataset persists: its containers as the catalog reads them (a
/// redirected one as a local folder of the same name) and its manifest windows.
/// Errors: kUnsupported for a redirection to something else than a local folder.
core::Result<icechunk::RepositoryConfig> store_config(const dataset::DatasetSpec& spec,
                                                      const source::Catalog& catalog);

/// The redirections that a store has persisted, to read its sources where its references point.
std::vector<source::SourceOverride> persisted_overrides(const dataset::DatasetSpec& spec,
                                                        const icechunk::RepositoryConfig& config);

/// Containers of `catalog` for this process only, where they differ from the persisted ones.
core::Result<std::vector<icechunk::VirtualContainer>> repointed_containers(
    const source::Catalog& catalog);

/// Makes the branch (or goes on with it) and brings it to the template: documents and coordinate
/// values, in one commit, nothing when all is there already.
core::Status set_up_branch(const icechunk::Repository& repository, const std::string& branch,
                           const dataset::Template& tree,
                           std::span<const dataset::CoordinateChunk> chunks,
                           const icechunk::Metadata& commit_metadata);

/// Removes everything of the repository below the store's root, `repo` first, so that from the
/// first step on the place counts as no store.
core::Status remove_store(object_store::ObjectStore& store);

}  // namespace icefield::coordination
