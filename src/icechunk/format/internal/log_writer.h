#pragma once

#include "core/bytes.h"
#include "core/result.h"
#include "icechunk/format/transaction_log.h"

namespace icefield::icechunk::internal {

/// The flatbuffer of a transaction log, written front to back into memory of its final size: a
/// log may hold tens of millions of positions. Precondition: lists are in order.
/// Errors: kInvalidArgument when it would not stay below 2 GiB.
core::Result<core::Bytes> write_log(const TransactionLog& log);

}  // namespace icefield::icechunk::internal
