#pragma once

#include <cstdint>

#include "core/result.h"
#include "object_store/http/socket_watch.h"
#include "object_store/http/transfer.h"

namespace icefield::object_store {

/// A CURL handle with everything that all requests share; null when out of memory. The connections
/// that it opens are told to `watch`.
void* make_easy(SocketWatch& watch);

/// Prepares `transfer.easy`, made by make_easy and perhaps used before, for its request. It refers
/// to the transfer until it is prepared for another.
void prepare_easy(Transfer& transfer);

/// Error of a transfer that ended with this curl code (CURLcode, not CURLE_OK).
core::Error failure_of(const Transfer& transfer, int curl_code);

/// Fails the transfer when one of its deadlines has passed. Bytes counted so far come from curl.
std::optional<core::Error> overdue(Transfer& transfer, SteadyTime now);

}  // namespace icefield::object_store
