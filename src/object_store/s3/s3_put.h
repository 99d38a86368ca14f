#pragma once

#include <span>
#include <string>

#include "core/result.h"
#include "object_store/http/resolved_put.h"
#include "object_store/object_store.h"
#include "object_store/s3/s3_client.h"

namespace icefield::object_store {

/// One put on S3 (http/put_together.h): one request, or a multipart upload for large bodies. Every
/// conditional or multipart put carries a fresh id in the object's metadata; when an answer is
/// missing, or says that the condition does not hold, the object is looked up and the id decides
/// whose it is.
class S3Put {
 public:
  S3Put(const S3Client& client, const Key& key, std::span<const std::byte> bytes,
        const PutCondition& condition);

  bool in_parts() const { return bytes_.size() >= client_->settings().multipart_from; }
  S3Call call() const;
  PutSteps steps() const;

 private:
  core::Result<ObjectInfo> written(const HttpResponse& answer) const;
  core::Result<FoundWrite> look() const;

  const S3Client* client_;
  const Key* key_;
  std::span<const std::byte> bytes_;
  const PutCondition* condition_;
  std::string id_;  // empty: none
};

}  // namespace icefield::object_store
