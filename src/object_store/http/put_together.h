#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/parallel.h"
#include "core/result.h"
#include "object_store/http/resolved_put.h"
#include "object_store/key_rules.h"
#include "object_store/object_store.h"

namespace icefield::object_store {

/// Requests that are prepared, and then sent, at a time: signatures must not grow old in a queue,
/// and some services need a copy of the body.
inline constexpr std::size_t kMostTogether = 1024;
inline constexpr std::uint64_t kMostBytesTogether = std::uint64_t{64} << 20U;

/// Puts that need more than one request and one answer, at a time.
inline constexpr std::size_t kMostAlone = 8;

// A store's kind of put is a class `Put`, made of its client and a PutOrder. It keeps pointers to
// both, and what it gives refers to it: it must stay in its place until that has been used.
//   static std::uint64_t parts_from(const Client&)  bytes of the first body that needs several
//   requests PutSteps steps()                                resolved_put.h Call call() the one
//   request of a smaller body

/// ObjectStore::put.
template <typename Put, typename Client>
core::Result<ObjectInfo> put_one(const Client& client, const Key& key,
                                 std::span<const std::byte> bytes, const PutCondition& condition) {
  TRY(check_key(key));
  const PutOrder order(key, bytes, condition, Put::parts_from(client));
  Put put(client, order);
  return resolve_put(put.steps());
}

/// ObjectStore::put_many: what needs one request is sent together; what needs more, large bodies
/// and answers that leave something open, a few at a time.
template <typename Put, typename Client>
std::vector<core::Result<ObjectInfo>> put_together(const Client& client,
                                                   std::span<const PutRequest> objects) {
  std::vector<core::Result<ObjectInfo>> results(objects.size(), ObjectInfo{});
  const auto parts_from = Put::parts_from(client);
  for (std::size_t at = 0; at < objects.size();) {
    std::vector<PutOrder> orders;
    std::vector<std::size_t> places;
    std::uint64_t bytes = 0;
    for (; at < objects.size() && orders.size() < kMostTogether && bytes < kMostBytesTogether;
         ++at) {
      const auto& [key, body, condition] = objects[at];
      if (const auto checked = check_key(key); !checked) {
        results[at] = checked.error();
        continue;
      }
      orders.emplace_back(key, body, condition, parts_from);
      places.push_back(at);
      bytes += std::min<std::uint64_t>(body.size(), parts_from);
    }
    std::vector<Put> puts;
    std::vector<std::size_t> alone;  // places among the puts
    std::vector<std::size_t> together;
    std::vector<decltype(std::declval<Put&>().call())> calls;
    puts.reserve(orders.size());  // they stay in their places
    for (std::size_t i = 0; i < orders.size(); ++i) {
      puts.emplace_back(client, orders[i]);
      if (orders[i].in_parts) {
        alone.push_back(i);
      } else {
        together.push_back(i);
        calls.push_back(puts[i].call());
      }
    }
    auto sent = client.send_all(calls);
    std::vector<Sent*> first(puts.size(), nullptr);
    for (std::size_t i = 0; i < together.size(); ++i) {
      const auto& answer = sent[i].answer;
      if (answer && answer->status / 100 == 2) {
        results[places[together[i]]] = resolve_put(puts[together[i]].steps(), std::move(sent[i]));
      } else {
        first[together[i]] = &sent[i];
        alone.push_back(together[i]);
      }
    }
    auto resolved =
        core::parallel_map(std::span<const std::size_t>(alone), kMostAlone, [&](auto i) {
          return first[i] == nullptr ? resolve_put(puts[i].steps())
                                     : resolve_put(puts[i].steps(), std::move(*first[i]));
        });
    for (std::size_t i = 0; i < alone.size(); ++i) {
      results[places[alone[i]]] = std::move(resolved[i]);
    }
  }
  return results;
}

}  // namespace icefield::object_store
