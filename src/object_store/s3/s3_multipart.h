#pragma once

#include <span>
#include <string>

#include "core/result.h"
#include "object_store/s3/s3_client.h"

namespace icefield::object_store {

/// Uploads `bytes` in parts and completes with `conditions` (headers of the completing request).
/// `metadata`: headers of the object. Gives what completing gave; an upload that fails before is
/// aborted and its Error the answer.
Sent upload_in_parts(const S3Client& client, const std::string& key,
                     std::span<const std::byte> bytes, const Headers& metadata,
                     const Headers& conditions);

}  // namespace icefield::object_store
