#pragma once

#include <cstddef>
#include <span>

#include "core/bytes.h"
#include "core/result.h"
#include "icechunk/format/repo_info.h"

namespace icefield::icechunk {

/// Reads a repo object or one of its backups. Metadata values share the decompressed buffer.
/// Errors: kCorrupt for anything that breaks the format: order, indices, an empty log, no main.
core::Result<RepoInfo> decode_repo_info(std::span<const std::byte> file);

/// The object's bytes. Errors: kInvalidArgument when lists are out of order, a ref or parent is
/// not among the snapshots, the newest log entry has a backup, or the log is empty.
core::Result<core::Bytes> encode_repo_info(const RepoInfo& repo);

}  // namespace icefield::icechunk
