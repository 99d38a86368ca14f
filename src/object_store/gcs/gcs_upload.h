#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/bytes.h"
#include "object_store/gcs/gcs_client.h"
#include "object_store/object_store.h"

namespace icefield::object_store {

/// One object to be written.
struct GcsUpload {
  Key key;
  std::string id;                    // kept in its metadata; empty: none
  std::span<const std::byte> bytes;  // lent for the call
  Query conditions;                  // ifGenerationMatch
};

/// In one request, with the CRC-32C that the service must find.
Sent upload_at_once(const GcsClient& client, const GcsUpload& upload);

/// In a session that takes parts of `part` bytes (a multiple of 256 KiB), each of which is sent
/// again alone when it fails; the conditions hold when the last one is in. A session that fails is
/// ended. Gives what the last part gave.
Sent upload_resumable(const GcsClient& client, const GcsUpload& upload, std::uint64_t part);

}  // namespace icefield::object_store
