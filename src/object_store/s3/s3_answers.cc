#include "object_store/s3/s3_answers.h"

#include <algorithm>
#include <utility>

#include "core/text.h"
#include "object_store/internal/iso_time.h"
#include "object_store/internal/xml.h"
#include "object_store/key_rules.h"

namespace icefield::object_store {
namespace {

core::Error corrupt(std::string_view what) {
  return {core::ErrorCode::kCorrupt, "answer of the store: " + std::string(what)};
}

core::Result<ObjectInfo> read_listed(const XmlElement& contents) {
  const auto size = parse_number(contents.text_of("Size"));
  if (!size) return corrupt("a listed object has no size");
  TRY_ASSIGN(const auto modified, read_iso_time(contents.text_of("LastModified")));
  return ObjectInfo{Key(std::string(contents.text_of("Key"))), *size,
                    Version(std::string(contents.text_of("ETag"))), modified};
}

}  // namespace

core::Result<S3ListPage> read_list_page(const HttpResponse& answer) {
  TRY_ASSIGN(const auto document, parse_xml(core::as_text(answer.body)));
  S3ListPage read;
  for (const auto& element : document.children) {
    if (element.name == "Contents") {
      TRY_ASSIGN(auto object, read_listed(element));
      // markers of folders ("a/") and keys that no key here may be are not ours to show
      if (check_key(object.key)) read.page.objects.push_back(std::move(object));
    } else if (element.name == "CommonPrefixes") {
      read.page.folders.emplace_back(element.text_of("Prefix"));
    }
  }
  if (document.text_of("IsTruncated") == "true") {
    read.continuation = std::string(document.text_of("NextContinuationToken"));
    if (read.continuation.empty()) return corrupt("a listing goes on without saying where");
  }
  return read;
}

core::Result<std::vector<S3DeleteFailure>> read_delete_failures(const HttpResponse& answer) {
  std::vector<S3DeleteFailure> failures;
  if (answer.body.empty()) return failures;
  TRY_ASSIGN(const auto document, parse_xml(core::as_text(answer.body)));
  for (const auto& element : document.children) {
    if (element.name != "Error") continue;
    const auto code = element.text_of("Code");
    if (code == "NoSuchKey") continue;
    failures.push_back({std::string(element.text_of("Key")),
                        {code == "AccessDenied" ? core::ErrorCode::kPermissionDenied
                                                : core::ErrorCode::kUnavailable,
                         core::text(code, ": ", element.text_of("Message"))}});
  }
  return failures;
}

bool can_be_deleted_later(const HttpResponse& answer) {
  const auto document = parse_xml(core::as_text(answer.body));
  if (!document) return false;
  return std::ranges::any_of(document->children, [](const XmlElement& element) {
    const auto code = element.text_of("Code");
    return element.name == "Error" &&
           (code == "SlowDown" || code == "InternalError" || code == "ServiceUnavailable");
  });
}

}  // namespace icefield::object_store
