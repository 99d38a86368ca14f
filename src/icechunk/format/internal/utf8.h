#pragma once

#include <string_view>

namespace icefield::icechunk::internal {

/// True for well-formed UTF-8 (no surrogates, no overlong forms, nothing above U+10FFFF).
bool is_utf8(std::string_view text);

}  // namespace icefield::icechunk::internal
