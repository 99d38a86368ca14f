#pragma once

#include <vector>

#include "core/result.h"
#include "icechunk/commit/repository.h"
#include "icechunk/format/operations_log.h"

namespace icefield::icechunk {

/// The whole operations log, newest first: that of the repo object, then of one backup after the
/// other. A backup that is gone ends it. Errors: kCorrupt when backups run in a ring.
core::Result<std::vector<Update>> read_operations(const Repository& repository);

}  // namespace icefield::icechunk
