#pragma once

#include <string>

#include "core/result.h"
#include "object_store/http/http_message.h"
#include "object_store/http/resolved_put.h"
#include "object_store/object_store.h"

namespace icefield::object_store {

/// An object's resource document (the answer to a look-up, an upload): its state by generation, and
/// the id of the put that wrote it. Errors: kCorrupt.
core::Result<FoundWrite> read_gcs_object(const Key& key, const HttpResponse& answer);

/// The object of a GET with alt=media. Errors: kCorrupt.
core::Result<Object> read_gcs_media(const Key& key, const std::string& name, HttpResponse answer);

/// Compares the body of a whole object with the CRC-32C of its answer's x-goog-hash. Nothing is
/// compared for an object that the service unpacked on its way: the sum is that of what is stored.
/// Errors: kCorrupt, with `name` and both sums.
core::Status verify_gcs_media(const std::string& name, const HttpResponse& answer);

/// True for the refusal of an upload whose bytes are not those of the checksum sent with them.
bool tells_other_checksum(const HttpResponse& answer);

/// One page of a listing.
struct GcsListPage {
  ListPage page;
  std::string next;  // token of the next page; empty: none
};
core::Result<GcsListPage> read_gcs_listing(const HttpResponse& answer);

/// The answer as an Error, with the service's own message. 409 is kUnavailable: what was in the way
/// is no lost race.
core::Error gcs_error(const std::string& object, const HttpResponse& answer);

}  // namespace icefield::object_store
