#pragma once

#include <string>

#include "core/result.h"
#include "object_store/http/http_message.h"
#include "object_store/object_store.h"

namespace icefield::object_store {

/// What a status means where no service has its own rules: 404 and 410 kNotFound, 401 and 403
/// kPermissionDenied, 409 and 412 kConflict, 416 kCorrupt, 400 and 405 kInvalidArgument, 501
/// kUnsupported, others kUnavailable.
core::ErrorCode code_of_status(int status);

/// "object: status 403 detail", the detail cut to 400 bytes and put on one line.
core::Error status_error(const std::string& object, const HttpResponse& answer,
                         const std::string& detail = {});

/// Size, version and time from the headers of a GET or HEAD. The version is the entity tag, or the
/// time when there is none. Errors: kCorrupt when size or time is missing.
core::Result<ObjectInfo> info_from_headers(const Key& key, const HttpResponse& answer);

/// The object of a whole GET. Errors: kCorrupt when the body has another size than promised.
core::Result<Object> object_from(const Key& key, const std::string& name, HttpResponse answer);

}  // namespace icefield::object_store
