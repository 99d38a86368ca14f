#include "object_store/http/http_errors.h"

#include <algorithm>
#include <utility>

#include "core/text.h"

namespace icefield::object_store {

core::ErrorCode code_of_status(int status) {
  switch (status) {
    case 404:
    case 410:
      return core::ErrorCode::kNotFound;
    case 401:
    case 403:
      return core::ErrorCode::kPermissionDenied;
    case 409:
    case 412:
      return core::ErrorCode::kConflict;
    case 416:
      return core::ErrorCode::kCorrupt;
    case 400:
    case 405:
      return core::ErrorCode::kInvalidArgument;
    case 501:
      return core::ErrorCode::kUnsupported;
    default:
      return core::ErrorCode::kUnavailable;
  }
}

core::Error status_error(const std::string& object, const HttpResponse& answer,
                         const std::string& detail) {
  auto said = detail.empty() ? std::string() : " " + detail.substr(0, 400);
  std::ranges::replace(said, '\n', ' ');
  return {code_of_status(answer.status), core::text(object, ": status ", answer.status, said)};
}

core::Result<ObjectInfo> info_from_headers(const Key& key, const HttpResponse& answer) {
  auto size = parse_number(answer.header("content-length"));
  if (answer.status == 206) size = content_range_total(answer.header("content-range"));
  if (!size && !answer.body.empty()) size = answer.body.size();
  if (!size)
    return core::Error(core::ErrorCode::kCorrupt, key.value() + ": an answer without size");
  const auto time = answer.header("last-modified");
  TRY_ASSIGN(const auto modified, parse_http_date(time));
  const auto tag = answer.header("etag");
  return ObjectInfo{key, *size, Version(std::string(tag.empty() ? time : tag)),
                    core::Instant(modified)};
}

core::Result<Object> object_from(const Key& key, const std::string& name, HttpResponse answer) {
  TRY_ASSIGN(auto info, info_from_headers(key, answer));
  if (info.size != answer.body.size()) {
    return core::Error(core::ErrorCode::kCorrupt, name + ": fewer bytes came than were promised");
  }
  return Object{std::move(info), std::move(answer.body)};
}

}  // namespace icefield::object_store
