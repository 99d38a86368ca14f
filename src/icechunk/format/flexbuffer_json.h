#pragma once

#include <cstddef>
#include <span>

#include "core/bytes.h"
#include "core/json.h"
#include "core/result.h"

namespace icefield::icechunk {

/// One FlexBuffers value as JSON: untyped, typed and fixed-length vectors become arrays, keys and
/// strings text, blobs arrays of numbers. Errors: kCorrupt for offsets outside the buffer, text
/// that is not UTF-8, nesting over 64, values that together are larger than the buffer could hold
/// (shared parts counted each time), a map with a key twice.
core::Result<core::Json> decode_flexbuffer(std::span<const std::byte> bytes);

/// Maps with keys sorted by bytes, vectors untyped, floats in 4 bytes where that is exact.
/// Errors: kInvalidArgument for a member name with a zero byte, or one that occurs twice.
core::Result<core::Bytes> encode_flexbuffer(const core::Json& value);

}  // namespace icefield::icechunk
