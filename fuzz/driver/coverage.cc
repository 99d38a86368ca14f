#include "coverage.h"

#include <array>
#include <atomic>
#include <cstdint>

namespace icefield::fuzz {
namespace {

constexpr std::size_t kSlots = 1U << 16U;

// Entries may start threads, so the slots are atomic; only "reached or not" matters.
std::array<std::atomic<std::uint8_t>, kSlots> reached_now;
std::array<bool, kSlots> reached_ever;

}  // namespace

void start_coverage() {
  for (auto& slot : reached_now) slot.store(0, std::memory_order_relaxed);
}

std::size_t take_new_coverage() {
  std::size_t fresh = 0;
  for (std::size_t at = 0; at < kSlots; ++at) {
    if (reached_now[at].load(std::memory_order_relaxed) == 0 || reached_ever[at]) continue;
    reached_ever[at] = true;
    ++fresh;
  }
  return fresh;
}

}  // namespace icefield::fuzz

// The compiler calls this at every basic block. Places are counted from this function's own
// address, so that a seed gives the same run wherever the program is loaded.
// NOLINTNEXTLINE(bugprone-reserved-identifier): the compiler chose the name
extern "C" void __sanitizer_cov_trace_pc() {
  const auto here = reinterpret_cast<std::uintptr_t>(&__sanitizer_cov_trace_pc);
  const auto caller = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  const auto place = static_cast<std::uint64_t>(caller - here) * 0x9E3779B97F4A7C15U;
  icefield::fuzz::reached_now[place >> 48U].store(1, std::memory_order_relaxed);
}
