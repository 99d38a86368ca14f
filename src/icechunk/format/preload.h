#pragma once

#include "core/json.h"
#include "core/result.h"

namespace icefield::icechunk {

/// Which manifests readers fetch ahead (docs/formats/icechunk.md, Configuration): nothing is
/// fetched ahead here, but what official readers cannot parse keeps them from opening a repository.
/// Errors: kCorrupt for anything that is no such condition, also one nested over 64.
core::Status check_preload_condition(const core::Json& condition);

}  // namespace icefield::icechunk
