#pragma once

#include <span>
#include <string>

#include "core/result.h"
#include "object_store/object_store.h"
#include "object_store/s3/s3_client.h"

namespace icefield::object_store {

/// ObjectStore::put on S3: one request, or a multipart upload for large bodies. Every conditional
/// or multipart put carries a fresh id in the object's metadata; when an answer is missing, or says
/// that the condition does not hold, the object is looked up and the id decides whose it is.
core::Result<ObjectInfo> put_s3(const S3Client& client, const Key& key,
                                std::span<const std::byte> bytes, const PutCondition& condition);

}  // namespace icefield::object_store
