#pragma once

#include <cstddef>
#include <span>

#include "core/json.h"
#include "core/result.h"

namespace icefield::icechunk {

/// One MessagePack value, as files of version 1 hold metadata, as JSON. Binary becomes an array
/// of numbers. Errors: kCorrupt for a cut value, bytes after it, nesting over 64, text that is not
/// UTF-8, map keys that are not text or repeat; kUnsupported for extension types.
core::Result<core::Json> decode_msgpack(std::span<const std::byte> bytes);

}  // namespace icefield::icechunk
