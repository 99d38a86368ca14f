#include "object_store/azure/azure_answers.h"

#include <utility>

#include "core/text.h"
#include "object_store/http/http_errors.h"
#include "object_store/internal/digest.h"
#include "object_store/internal/xml.h"
#include "object_store/key_rules.h"

namespace icefield::object_store {
namespace {

core::Result<ObjectInfo> read_blob(const XmlElement& blob) {
  const auto* const properties = blob.child("Properties");
  const auto size =
      properties == nullptr ? std::nullopt : parse_number(properties->text_of("Content-Length"));
  if (!size) return core::Error(core::ErrorCode::kCorrupt, "a listed blob has no size");
  TRY_ASSIGN(const auto modified, parse_http_date(properties->text_of("Last-Modified")));
  std::string tag(properties->text_of("Etag"));
  if (!tag.empty() && tag.front() != '"') tag = '"' + tag + '"';  // headers have the quotes
  return ObjectInfo{Key(std::string(blob.text_of("Name"))), *size, Version(std::move(tag)),
                    core::Instant(modified)};
}

}  // namespace

core::Result<AzureListPage> read_azure_listing(const HttpResponse& answer) {
  TRY_ASSIGN(const auto document, parse_xml(core::as_text(answer.body)));
  AzureListPage read;
  if (const auto* const blobs = document.child("Blobs")) {
    for (const auto& element : blobs->children) {
      if (element.name == "BlobPrefix") {
        read.page.folders.emplace_back(element.text_of("Name"));
      } else if (element.name == "Blob") {
        TRY_ASSIGN(auto object, read_blob(element));
        if (check_key(object.key)) read.page.objects.push_back(std::move(object));
      }
    }
  }
  read.next = std::string(document.text_of("NextMarker"));
  return read;
}

core::Status verify_blob(const std::string& name, const HttpResponse& answer) {
  const auto told = answer.header("content-md5");
  if (told.empty()) return {};
  const auto found = base64(md5(answer.body));
  if (found == told) return {};
  return core::Error(core::ErrorCode::kCorrupt,
                     core::text(name, ": ", answer.body.size(), " bytes came with MD5 ",
                                told.substr(0, 64), ", but theirs is ", found));
}

std::string azure_error_code(const HttpResponse& answer) {
  if (const auto code = answer.header("x-ms-error-code"); !code.empty()) return std::string(code);
  constexpr std::size_t kMostRead = 64U << 10U;
  if (answer.body.empty() || answer.body.size() > kMostRead) return {};
  const auto document = parse_xml(core::as_text(answer.body));
  return document ? std::string(document->text_of("Code")) : std::string();
}

core::Error azure_error(const std::string& object, const HttpResponse& answer) {
  const auto code = azure_error_code(answer);
  auto error = status_error(object, answer, code);
  if (answer.status == 409) return {core::ErrorCode::kUnavailable, error.message()};
  if (code != "ContainerNotFound") return error;
  return core::Error(core::ErrorCode::kInvalidArgument, error.message());
}

}  // namespace icefield::object_store
