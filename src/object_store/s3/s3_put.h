#pragma once

#include <cstdint>

#include "core/result.h"
#include "object_store/http/resolved_put.h"
#include "object_store/object_store.h"
#include "object_store/s3/s3_client.h"

namespace icefield::object_store {

/// One put on S3 (http/put_together.h): one request, or a multipart upload for large bodies. Every
/// conditional or multipart put carries a fresh id in the object's metadata; when an answer is
/// missing, or says that the condition does not hold, the object is looked up and the id decides
/// whose it is. Refers to what it is made of; what it gives refers to it.
class S3Put {
 public:
  S3Put(const S3Client& client, const PutOrder& order) : client_(&client), order_(&order) {}

  static std::uint64_t parts_from(const S3Client& client) {
    return client.settings().multipart_from;
  }
  S3Call call() const;
  PutSteps steps() const;

 private:
  core::Result<ObjectInfo> written(const HttpResponse& answer) const;
  core::Result<FoundWrite> look() const;

  const S3Client* client_;
  const PutOrder* order_;
};

}  // namespace icefield::object_store
