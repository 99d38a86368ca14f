#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "core/bytes.h"
#include "core/result.h"
#include "icechunk/format/transaction_log.h"

namespace icefield::icechunk {

/// The most positions that one log may hold: readers stop at 50 million tables.
inline constexpr std::uint64_t kMaxUpdatedChunks = 49'000'000;

/// Reads a transaction log of version 1 or 2. With `expected`, a file that holds another id is
/// kCorrupt. Errors: kCorrupt for anything that breaks the format (bounds, order, ranks).
core::Result<TransactionLog> decode_transaction_log(
    std::span<const std::byte> file, std::optional<SnapshotId> expected = std::nullopt);

/// A file of version 2. Errors: kInvalidArgument when lists are out of order or the log is too
/// large to be read (kMaxUpdatedChunks, 2 GiB).
core::Result<core::Bytes> encode_transaction_log(const TransactionLog& log);

}  // namespace icefield::icechunk
