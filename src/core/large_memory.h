#pragma once

#include <cstddef>

#include "core/bytes.h"

namespace icefield::core {

/// For the `main` of a program: from here on the process keeps large blocks that it frees for its
/// next ones, up to 256 MiB, where the C library would give each back to the kernel and pay for its
/// pages again. Changes nothing but speed and what stays resident between peaks; without the GNU C
/// library nothing at all. Call it before other threads start. A library leaves this choice to the
/// program that uses it.
void keep_freed_memory();

/// bytes.reserve(size) for a buffer that is about to be filled as a whole: of one that is large the
/// kernel is asked to give the pages in few, large pieces. Throws what reserve throws.
void reserve_large(Bytes& bytes, std::size_t size);

}  // namespace icefield::core
