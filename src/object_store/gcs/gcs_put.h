#pragma once

#include <span>
#include <string>

#include "core/bytes.h"
#include "object_store/gcs/gcs_client.h"
#include "object_store/http/resolved_put.h"
#include "object_store/object_store.h"

namespace icefield::object_store {

/// One put on Google Cloud Storage (http/put_together.h): one request, with the CRC-32C that the
/// service must find, or for large bodies a resumable upload. Every put but a plain small one
/// carries a fresh id in the object's metadata.
class GcsPut {
 public:
  GcsPut(const GcsClient& client, const Key& key, std::span<const std::byte> bytes,
         const PutCondition& condition);

  bool in_parts() const;
  GcsCall call();
  PutSteps steps();

 private:
  std::string resource() const;
  Query query(const char* type) const;
  Sent upload_resumable() const;

  const GcsClient* client_;
  const Key* key_;
  std::span<const std::byte> bytes_;
  const PutCondition* condition_;
  std::string id_;    // empty: none
  core::Bytes body_;  // of call(): the object between its description and the end
};

/// The object as its description shows it, with its id.
core::Result<FoundWrite> look_at_object(const GcsClient& client, const Key& key);

}  // namespace icefield::object_store
