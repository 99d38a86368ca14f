#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/result.h"
#include "object_store/azure/azure_client.h"
#include "object_store/http/resolved_put.h"
#include "object_store/object_store.h"

namespace icefield::object_store {

/// One put on Azure (http/put_together.h): one request, or blocks and their list for large bodies,
/// each with the MD5 that the service must find. Every put but a plain small one carries a fresh id
/// in the blob's metadata. Blocks that were never listed are no blob, and the service drops them
/// after a week.
class AzurePut {
 public:
  AzurePut(const AzureClient& client, const Key& key, std::span<const std::byte> bytes,
           const PutCondition& condition);

  bool in_parts() const;
  AzureCall call() const;
  PutSteps steps() const;

 private:
  Headers headers() const;

  const AzureClient* client_;
  const Key* key_;
  std::span<const std::byte> bytes_;
  const PutCondition* condition_;
  std::string id_;  // empty: none
};

/// The blob as a HEAD shows it, with its id.
core::Result<FoundWrite> look_at_blob(const AzureClient& client, const Key& key);

}  // namespace icefield::object_store
