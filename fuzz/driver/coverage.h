#pragma once

#include <cstddef>

namespace icefield::fuzz {

/// Forgets what the code reached since the last call; call before each run of an entry.
void start_coverage();

/// Number of places (basic blocks, hashed to 2^16 slots) that were reached since start_coverage()
/// and never before in this process. 0 in a build without -fsanitize-coverage=trace-pc.
std::size_t take_new_coverage();

}  // namespace icefield::fuzz
