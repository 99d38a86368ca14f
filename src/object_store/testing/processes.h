#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace icefield::object_store_testing {

/// Runs `work(index)` in `count` forked processes that start it at the same moment; gives their
/// exit statuses (0..255), or 256 + signal for one that a signal ended. Call it while the process
/// has no other threads; open stores may be used in the children as they are.
std::vector<int> run_in_processes(std::size_t count, const std::function<int(std::size_t)>& work);

}  // namespace icefield::object_store_testing
