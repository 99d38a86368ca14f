#include "core/random.h"

#include <cstdlib>

#include <sys/random.h>

namespace icefield::core {

void fill_random(std::span<std::byte> out) {
  std::size_t done = 0;
  while (done < out.size()) {
    const auto got = ::getrandom(out.data() + done, out.size() - done, 0);
    if (got > 0) done += static_cast<std::size_t>(got);
  }
}

std::uint64_t random_u64() {
  std::uint64_t value = 0;
  fill_random(std::as_writable_bytes(std::span(&value, 1)));
  return value;
}

}  // namespace icefield::core
