#pragma once

#include <cstdint>
#include <string>

#include "core/bytes.h"
#include "object_store/gcs/gcs_client.h"
#include "object_store/http/resolved_put.h"
#include "object_store/object_store.h"

namespace icefield::object_store {

/// One put on Google Cloud Storage (http/put_together.h): one request, with the CRC-32C that the
/// service must find, or for large bodies a resumable upload. Every put but a plain small one
/// carries a fresh id in the object's metadata. Refers to what it is made of; what it gives
/// refers to it.
class GcsPut {
 public:
  GcsPut(const GcsClient& client, const PutOrder& order) : client_(&client), order_(&order) {}

  static std::uint64_t parts_from(const GcsClient& /*client*/) { return std::uint64_t{16} << 20U; }
  GcsCall call();  // the body of an earlier one is gone
  PutSteps steps();

 private:
  std::string resource() const;
  Query query(const char* type) const;
  Sent upload_resumable() const;

  const GcsClient* client_;
  const PutOrder* order_;
  core::Bytes body_;  // of call(): the object between its description and the end
};

/// The object as its description shows it, with its id.
core::Result<FoundWrite> look_at_object(const GcsClient& client, const Key& key);

}  // namespace icefield::object_store
