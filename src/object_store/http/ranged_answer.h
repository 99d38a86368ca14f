#pragma once

#include <functional>
#include <string>

#include "core/bytes.h"
#include "core/result.h"
#include "object_store/http/http_message.h"

namespace icefield::object_store {

/// "bytes=0-9". Precondition: the range is not empty. Ends beyond 2^63 are asked for as 2^63, which
/// servers can read.
std::string range_header(core::ByteRange range);

/// The bytes from range.offset on, at most range.length, that the answer to a ranged GET holds: of
/// a part (206), or of the whole object (200) from a server that ignored the range; fewer when the
/// object ends before. `error_of` judges all other statuses.
core::Result<core::Bytes> ranged_body(
    core::Result<HttpResponse> answer, core::ByteRange range,
    const std::function<core::Error(const HttpResponse&)>& error_of);

}  // namespace icefield::object_store
