#pragma once

#include "core/result.h"
#include "icechunk/format/repo_info.h"
#include "object_store/object_store.h"

namespace icefield::icechunk {

class AssetStore;

/// A repository of spec version 1 in the shape of a repo object: branches and tags from refs/,
/// snapshots with their parents from the snapshot files, the configuration from config.yaml
/// (docs/formats/icechunk.md, Version 1). It has no operations log, no repository metadata, and is
/// read only here. Errors: kNotFound when there is no refs/branch.main/ref.json; kCorrupt.
core::Result<RepoInfo> read_legacy_refs(AssetStore& assets);

/// True when a place holds the refs of such a repository.
core::Result<bool> has_legacy_refs(const object_store::ObjectStore& store);

}  // namespace icefield::icechunk
