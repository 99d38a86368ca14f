#include "object_store/s3/s3_errors.h"

#include <algorithm>

#include "core/text.h"
#include "object_store/http/http_errors.h"
#include "object_store/internal/xml.h"

namespace icefield::object_store {
namespace {

core::ErrorCode code_of(int status, std::string_view code) {
  // the last two: gateways that keep objects as files have no key `k` beside `k/x`
  for (const auto* callers : {"NoSuchBucket", "ObjectParentIsFile", "ExistingObjectIsDirectory"}) {
    if (code == callers) return core::ErrorCode::kInvalidArgument;
  }
  if (status == 409) return core::ErrorCode::kUnavailable;  // in the way of another, no lost race
  return code_of_status(status);
}

}  // namespace

S3ErrorDocument read_s3_error(const HttpResponse& answer) {
  constexpr std::size_t kMostRead = 64U << 10U;
  if (answer.body.empty() || answer.body.size() > kMostRead) return {};
  const auto document = parse_xml(core::as_text(answer.body));
  if (!document || document->name != "Error") return {};
  return {std::string(document->text_of("Code")), std::string(document->text_of("Message")),
          std::string(document->text_of("Region"))};
}

S3Remedy s3_remedy(int status, std::string_view code) {
  struct Row {
    std::string_view code;
    S3Remedy remedy;
  };
  constexpr Row kRows[] = {
      {"ExpiredToken", S3Remedy::kNewCredentials},
      {"TokenRefreshRequired", S3Remedy::kNewCredentials},
      {"RequestTimeTooSkewed", S3Remedy::kClock},
      {"RequestExpired", S3Remedy::kClock},
      {"ConditionalRequestConflict", S3Remedy::kBusy},
      {"OperationAborted", S3Remedy::kBusy},
      {"BadDigest", S3Remedy::kRepeat},
      {"XAmzContentSHA256Mismatch", S3Remedy::kRepeat},
      {"XAmzContentChecksumMismatch", S3Remedy::kRepeat},
      {"IncompleteBody", S3Remedy::kRepeat},
      {"RequestTimeout", S3Remedy::kRepeat},
  };
  for (const auto& row : kRows) {
    if (row.code == code) return row.remedy;
  }
  return status == 409 && code.empty() ? S3Remedy::kBusy : S3Remedy::kNone;
}

bool region_can_exist(std::string_view region) {
  return region.size() <= 40 && std::ranges::all_of(region, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
         });
}

core::Error s3_error(const std::string& object, const HttpResponse& answer) {
  const auto said = read_s3_error(answer);
  const auto detail =
      said.code.empty() ? std::string() : core::text(" ", said.code, ": ", said.message);
  return {code_of(answer.status, said.code),
          core::text(object, ": status ", answer.status, detail.substr(0, 400))};
}

}  // namespace icefield::object_store
