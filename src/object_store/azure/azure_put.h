#pragma once

#include <cstdint>

#include "core/result.h"
#include "object_store/azure/azure_client.h"
#include "object_store/http/resolved_put.h"
#include "object_store/object_store.h"

namespace icefield::object_store {

/// One put on Azure (http/put_together.h): one request, or blocks and their list for large bodies,
/// each with the MD5 that the service must find. Every put but a plain small one carries a fresh id
/// in the blob's metadata. Blocks that were never listed are no blob, and the service drops them
/// after a week. Refers to what it is made of; what it gives
/// refers to it.
class AzurePut {
 public:
  AzurePut(const AzureClient& client, const PutOrder& order) : client_(&client), order_(&order) {}

  static std::uint64_t parts_from(const AzureClient& /*client*/) {
    return std::uint64_t{16} << 20U;
  }
  AzureCall call() const;
  PutSteps steps() const;

 private:
  Headers headers() const;

  const AzureClient* client_;
  const PutOrder* order_;
};

/// The blob as a HEAD shows it, with its id.
core::Result<FoundWrite> look_at_blob(const AzureClient& client, const Key& key);

}  // namespace icefield::object_store
