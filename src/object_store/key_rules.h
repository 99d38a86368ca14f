#pragma once

#include <string_view>

#include "core/result.h"
#include "object_store/object_store.h"

namespace icefield::object_store {

/// The rules of every store kind: at most 1024 bytes, segments joined by '/', none of them empty,
/// "." or ".."; no NUL. Bytes are otherwise free and are never normalised.
/// Errors: kInvalidArgument, naming the key.
core::Status check_key(const Key& key);

/// True for text that some valid key may start with: the same rules, but the last segment may be
/// unfinished or empty. Where this is false a listing is empty.
bool may_start_a_key(std::string_view prefix);

/// True for a file name ending in '#' and digits: the form of temporary files on local disk, which
/// no key may have there.
bool is_temporary_name(std::string_view name);

/// The text after the last '/', or all of it.
std::string_view last_segment(std::string_view key);

}  // namespace icefield::object_store
