#pragma once

#include <string>
#include <string_view>

#include "core/result.h"
#include "object_store/http/http_message.h"

namespace icefield::object_store {

/// The document that S3 sends with an error; all empty when there is none.
struct S3ErrorDocument {
  std::string code;  // "NoSuchKey"
  std::string message;
  std::string region;  // where the bucket is, when that was the trouble
};

S3ErrorDocument read_s3_error(const HttpResponse& answer);

/// What helps against a refusal.
enum class S3Remedy {
  kNone,
  kNewCredentials,  // those used have expired
  kClock,           // the signature's time is not the service's
  kBusy,            // 409: another operation was in the way, nothing was done
  kRepeat,          // the request was damaged on its way, or did not come in time
};
S3Remedy s3_remedy(int status, std::string_view code);

/// True for text that may stand in a host name as a region.
bool region_can_exist(std::string_view region);

/// The answer as an Error: 404 kNotFound (a missing bucket: kInvalidArgument), 412 kConflict, 401
/// and 403 kPermissionDenied, 416 kCorrupt, 400 kInvalidArgument, others (409 too) kUnavailable.
/// The text has object, status, code and message, at most 400 bytes of them.
core::Error s3_error(const std::string& object, const HttpResponse& answer);

}  // namespace icefield::object_store
