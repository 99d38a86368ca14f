#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace icefield::core {

/// SHA-256 of `bytes` as 64 lower-case hex digits.
std::string sha256_hex(std::span<const std::byte> bytes);

}  // namespace icefield::core
