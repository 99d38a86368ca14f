#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "core/result.h"
#include "object_store/http/http_message.h"

namespace icefield::object_store {

/// The header by which a put tells its body's CRC-32C: the service refuses other bytes, keeps the
/// sum, and gives it back with the object.
Header checksum_header(std::span<const std::byte> body);

/// Compares the body of a whole object with the x-amz-checksum- headers of its answer (crc64nvme,
/// crc32c, crc32, sha256; the first present). Sums of the parts' sums ("...-3") cannot be compared.
/// Errors: kCorrupt, with `name` and both sums.
core::Status verify_checksums(const std::string& name, const HttpResponse& answer);

}  // namespace icefield::object_store
