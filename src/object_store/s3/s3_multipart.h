#pragma once

#include <span>
#include <string>

#include "core/result.h"
#include "core/time.h"
#include "object_store/s3/s3_client.h"

namespace icefield::object_store {

/// Uploads `bytes` in parts and completes with `conditions` (headers of the completing request).
/// `metadata`: headers of the object. Gives what completing gave; an upload that fails before is
/// aborted and its Error the answer. An upload that is gone when it is to be completed is
/// kUnknownOutcome: a completion may have been sent twice on its way.
Sent upload_in_parts(const S3Client& client, const std::string& key,
                     std::span<const std::byte> bytes, const Headers& metadata,
                     const Headers& conditions);

/// Aborts the unfinished uploads of keys that start with `prefix`, begun before `older_than` by the
/// service's clock; gives how many.
core::Result<std::size_t> abort_uploads(const S3Client& client, const std::string& prefix,
                                        core::Instant older_than);

}  // namespace icefield::object_store
