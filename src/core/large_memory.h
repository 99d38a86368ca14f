#pragma once

namespace icefield::core {

/// For the `main` of a program: from here on the process keeps large blocks that it frees for its
/// next ones, up to 256 MiB, where the C library would give each back to the kernel and pay for its
/// pages again. Changes nothing but speed and what stays resident between peaks; without the GNU C
/// library nothing at all. Call it before other threads start. A library leaves this choice to the
/// program that uses it.
void keep_freed_memory();

}  // namespace icefield::core
