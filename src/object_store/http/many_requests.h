#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/bytes.h"
#include "core/result.h"
#include "object_store/http/http_message.h"
#include "object_store/object_store.h"

namespace icefield::object_store {

// How calls of ObjectStore that concern several objects or ranges become requests, for the stores
// behind HTTP. Each hands in how its service is asked and how it words its errors.

using Answers = std::vector<core::Result<HttpResponse>>;

/// One request of a get_many.
struct RangeRequest {
  Headers headers;               // the range
  std::uint64_t max_answer = 0;  // bytes, an error's text included
};

/// ObjectStore::get_many: neighbouring ranges are joined, `send` answers all requests in their
/// order. `name` is the object's, for errors.
std::vector<core::Result<core::Bytes>> get_ranges(
    const Key& key, const std::string& name, std::span<const core::ByteRange> ranges,
    const std::function<Answers(std::span<const RangeRequest>)>& send,
    const std::function<core::Error(const HttpResponse&)>& error_of);

/// ObjectStore::get_suffix where a service has no ranges that count from the end.
core::Result<core::Bytes> get_suffix_by_size(const ObjectStore& store, const Key& key,
                                             std::uint64_t length);

/// ObjectStore::remove with one request for each key; `send` answers those with good names, in
/// their order. An absent object is removed.
std::vector<core::Status> remove_each(
    std::span<const Key> keys, const std::function<Answers(std::span<const Key>)>& send,
    const std::function<core::Error(const Key&, const HttpResponse&)>& error_of);

}  // namespace icefield::object_store
