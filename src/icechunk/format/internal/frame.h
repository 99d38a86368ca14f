#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/bytes.h"
#include "core/result.h"
#include "icechunk/format/envelope.h"

namespace icefield::icechunk::internal {

/// One zstd frame that declares its size: of several choices each is made, the smallest is given.
/// Errors: kInvalidArgument when zstd does not take a choice. Precondition: there is one.
core::Result<core::Bytes> compress(std::span<const std::byte> payload,
                                   std::span<const Compression> choices);

/// What a single frame holds, at most `most` bytes. Memory stays below what the frame declares and
/// can hold, and grows with what comes where it declares nothing.
/// Errors: kCorrupt for a damaged or cut frame, a size other than declared, bytes behind the frame;
///         kUnsupported for more than `most`.
core::Result<core::Bytes> decompress(std::span<const std::byte> frame, std::uint64_t most);

}  // namespace icefield::icechunk::internal
