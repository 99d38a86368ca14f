#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <optional>
#include <span>
#include <thread>
#include <type_traits>
#include <vector>

namespace icefield::core {

/// Calls `work(item)` for every item on at most `workers` threads; results keep the items' order.
/// One item's Error is that item's result and stops no other. `work` must not throw.
/// Returns when all are done: no thread outlives the call.
template <typename Item, typename Work>
auto parallel_map(std::span<const Item> items, std::size_t workers, const Work& work) {
  using Outcome = std::invoke_result_t<const Work&, const Item&>;
  std::vector<std::optional<Outcome>> slots(items.size());
  std::atomic<std::size_t> next{0};
  const auto run = [&] {
    for (std::size_t at = next++; at < items.size(); at = next++)
      slots[at].emplace(work(items[at]));
  };
  {
    std::vector<std::jthread> threads;
    const std::size_t wanted = std::min(workers, items.size());
    for (std::size_t i = 1; i < wanted; ++i) threads.emplace_back(run);
    run();  // the calling thread is one of the workers
  }         // joins
  std::vector<Outcome> outcomes;
  outcomes.reserve(slots.size());
  for (auto& slot : slots) outcomes.push_back(*std::move(slot));
  return outcomes;
}

/// Threads worth starting for work that keeps a core busy: the cores, at least 1.
inline std::size_t cores() {
  return std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace icefield::core
