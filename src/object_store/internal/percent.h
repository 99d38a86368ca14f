#pragma once

#include <string>
#include <string_view>

#include "core/result.h"

namespace icefield::object_store {

/// Percent-encodes what a path in a URL cannot hold as it is: control characters, space and any of
/// % ? # \ " < > ^ ` { | }, and bytes above 0x7E. '/' stays.
std::string percent_encode_path(std::string_view path);

/// Percent-encodes every byte but the unreserved ones of RFC 3986 (letters, digits, - . _ ~).
std::string percent_encode_all(std::string_view text);

/// The same for each segment of a path: '/' stays.
std::string percent_encode_segments(std::string_view path);

/// Errors: kInvalidArgument for '%' without two hex digits behind it.
core::Result<std::string> percent_decode(std::string_view text);

}  // namespace icefield::object_store
