#include "core/large_memory.h"

#include <cstdlib>  // also says whose C library it is

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace icefield::core {

void keep_freed_memory() {
#if defined(__GLIBC__)
  // NOLINTBEGIN(concurrency-mt-unsafe): there are no other threads yet
  ::mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the most that a thread's own heap can hold
  ::mallopt(M_TRIM_THRESHOLD, 256 << 20);
  ::mallopt(M_TOP_PAD, 4 << 20);
  // NOLINTEND(concurrency-mt-unsafe)
#endif
}

}  // namespace icefield::core
