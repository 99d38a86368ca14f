#include "core/large_memory.h"

#include <cstdint>
#include <cstdlib>
#include <memory>

#include <sys/mman.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace icefield::core {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20U;

}  // namespace

void keep_freed_memory() {
#if defined(__GLIBC__)
  // NOLINTBEGIN(concurrency-mt-unsafe): there are no other threads yet
  ::mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the most that a thread's own heap can hold
  ::mallopt(M_TRIM_THRESHOLD, 256 << 20);
  ::mallopt(M_TOP_PAD, 4 << 20);
  // NOLINTEND(concurrency-mt-unsafe)
#endif
}

void reserve_large(Bytes& bytes, std::size_t size) {
  if (size <= bytes.capacity()) return;
  bytes.reserve(size);
#if defined(MADV_HUGEPAGE)
  void* place = bytes.data();
  std::size_t room = bytes.capacity();
  if (std::align(kHugePage, kHugePage, place, room) == nullptr) return;
  // A wish: whether it is granted shows in nothing but time.
  static_cast<void>(::madvise(place, room / kHugePage * kHugePage, MADV_HUGEPAGE));
#endif
}

}  // namespace icefield::core
