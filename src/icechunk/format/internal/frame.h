#pragma once

#include <cstddef>
#include <span>

#include "core/bytes.h"
#include "core/result.h"
#include "icechunk/format/envelope.h"

namespace icefield::icechunk::internal {

/// Appends one zstd frame that declares its size: of several choices each is made, the smallest is
/// kept. Errors: kInvalidArgument when zstd does not take a choice. Precondition: there is one.
core::Status append_frame(core::Bytes& out, std::span<const std::byte> payload,
                          std::span<const Compression> choices);

/// What a single frame holds. Memory stays below what the frame declares and can hold, and grows
/// with what comes where it declares nothing. Errors: kCorrupt for a damaged or cut frame, a size
/// other than declared, bytes behind the frame;
///         kUnsupported for more than kMaxPayload.
core::Result<core::Bytes> decompress(std::span<const std::byte> frame);

}  // namespace icefield::icechunk::internal
