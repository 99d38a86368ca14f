#pragma once

#include <cstdint>

#include "core/result.h"
#include "object_store/http/transfer.h"

namespace icefield::object_store {

/// Prepares `transfer.easy` (a CURL handle, freshly made or reset) for its request.
/// False when out of memory.
bool prepare_easy(Transfer& transfer);

/// Frees what prepare_easy attached.
void release_easy(Transfer& transfer);

/// Error of a transfer that ended with this curl code (CURLcode, not CURLE_OK).
core::Error failure_of(const Transfer& transfer, int curl_code);

/// Fails the transfer when one of its deadlines has passed. Bytes counted so far come from curl.
std::optional<core::Error> overdue(Transfer& transfer, SteadyTime now);

}  // namespace icefield::object_store
