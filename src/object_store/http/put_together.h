#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/result.h"
#include "object_store/http/resolved_put.h"
#include "object_store/key_rules.h"
#include "object_store/object_store.h"

namespace icefield::object_store {

/// Requests that are prepared, and then sent, at a time: signatures must not grow old in a queue,
/// and some services need a copy of the body.
inline constexpr std::size_t kMostTogether = 1024;
inline constexpr std::uint64_t kMostBytesTogether = std::uint64_t{64} << 20U;

/// ObjectStore::put of the kind `Put`, which holds how its store puts one object:
///   Put(client, key, bytes, condition)  refers to its arguments
///   bool in_parts() const               several requests are needed
///   PutSteps steps()                    resolved_put.h; they refer to the Put
///   Call call()                         the one request of a put not in parts; refers to the Put
template <typename Put, typename Client>
core::Result<ObjectInfo> put_one(const Client& client, const Key& key,
                                 std::span<const std::byte> bytes, const PutCondition& condition) {
  TRY(check_key(key));
  Put put(client, key, bytes, condition);
  return resolve_put(put.steps());
}

/// ObjectStore::put_many: what needs one request is sent together.
template <typename Put, typename Client>
std::vector<core::Result<ObjectInfo>> put_together(const Client& client,
                                                   std::span<const PutRequest> objects) {
  std::vector<core::Result<ObjectInfo>> results(objects.size(), ObjectInfo{});
  for (std::size_t at = 0; at < objects.size();) {
    std::vector<Put> puts;
    std::vector<std::size_t> places;
    puts.reserve(std::min(kMostTogether, objects.size() - at));  // calls refer to them
    std::uint64_t bytes = 0;
    for (; at < objects.size() && puts.size() < kMostTogether && bytes < kMostBytesTogether; ++at) {
      const auto& [key, body, condition] = objects[at];
      Put put(client, key, body, condition);
      if (const auto checked = check_key(key); !checked) {
        results[at] = checked.error();
      } else if (put.in_parts()) {
        results[at] = resolve_put(put.steps());
      } else {
        puts.push_back(std::move(put));
        places.push_back(at);
        bytes += body.size();
      }
    }
    std::vector<decltype(std::declval<Put&>().call())> calls;
    calls.reserve(puts.size());
    for (Put& put : puts) calls.push_back(put.call());
    auto sent = client.send_all(calls);
    for (std::size_t i = 0; i < puts.size(); ++i) {
      results[places[i]] = resolve_put(puts[i].steps(), std::move(sent[i]));
    }
  }
  return results;
}

}  // namespace icefield::object_store
