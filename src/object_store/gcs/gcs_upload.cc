#include "object_store/gcs/gcs_upload.h"

#include <algorithm>
#include <utility>

#include "core/json.h"
#include "core/text.h"
#include "object_store/gcs/gcs_answers.h"
#include "object_store/http/resolved_put.h"
#include "object_store/internal/checksum.h"

namespace icefield::object_store {
namespace {

std::string resource_of(const GcsUpload& upload) {
  auto resource = core::Json::object(
      {{"name", upload.key.value()}, {"crc32c", base64_of(crc32c(upload.bytes))}});
  if (!upload.id.empty()) {
    resource.set("metadata", core::Json::object({{kWriteIdName, upload.id}}));
  }
  return resource.dump();
}

Query query_of(const GcsUpload& upload, const char* type) {
  auto query = upload.conditions;
  query.emplace_back("uploadType", type);
  query.emplace_back("name", upload.key.value());
  return query;
}

// A body of two parts. The boundary does not occur in bytes made before it was drawn.
core::Bytes two_parts(const GcsUpload& upload, const std::string& boundary) {
  const auto head =
      core::text("--", boundary, "\r\ncontent-type: application/json\r\n\r\n", resource_of(upload),
                 "\r\n--", boundary, "\r\ncontent-type: application/octet-stream\r\n\r\n");
  const auto tail = core::text("\r\n--", boundary, "--\r\n");
  core::Bytes body;
  body.reserve(head.size() + upload.bytes.size() + tail.size());
  for (const auto part : {core::as_bytes(head), upload.bytes, core::as_bytes(tail)}) {
    body.insert(body.end(), part.begin(), part.end());
  }
  return body;
}

// The first byte that the service still lacks: "bytes=0-524287" is all but those from 524288 on.
std::uint64_t lacking_from(const HttpResponse& answer) {
  const auto range = answer.header("range");
  const auto dash = range.rfind('-');
  if (dash == std::string_view::npos) return 0;
  const auto last = parse_number(range.substr(dash + 1));
  return last ? *last + 1 : 0;
}

}  // namespace

Sent upload_at_once(const GcsClient& client, const GcsUpload& upload) {
  const auto boundary = fresh_write_id();
  const auto body = two_parts(upload, boundary);
  return client.send({.method = "POST",
                      .path = client.upload_path(),
                      .query = query_of(upload, "multipart"),
                      .headers = {{"content-type", "multipart/related; boundary=" + boundary}},
                      .body = body,
                      .object = client.name(upload.key.value()),
                      .may_conflict = true});
}

Sent upload_resumable(const GcsClient& client, const GcsUpload& upload, std::uint64_t part) {
  const auto resource = resource_of(upload);
  const auto size = upload.bytes.size();
  auto begun = client.send({.method = "POST",
                            .path = client.upload_path(),
                            .query = query_of(upload, "resumable"),
                            .headers = {{"content-type", "application/json"},
                                        {"x-upload-content-length", std::to_string(size)}},
                            .body = core::as_bytes(resource),
                            .object = client.name(upload.key.value()),
                            .may_conflict = true});
  if (!begun.answer || begun.answer->status != 200) return begun;
  const std::string session(begun.answer->header("location"));
  const auto failed = [&](core::Error error) -> Sent {
    static_cast<void>(client.send({.method = "DELETE", .session = session}));
    return {std::move(error), 1, false};
  };
  const auto name = client.name(upload.key.value());
  for (std::uint64_t from = 0;;) {
    const auto length = std::min<std::uint64_t>(part, size - from);
    auto sent =
        client.send({.method = "PUT",
                     .headers = {{"content-range",
                                  core::text("bytes ", from, "-", from + length - 1, "/", size)}},
                     .body = upload.bytes.subspan(from, length),
                     .session = session,
                     .object = name,
                     .may_conflict = true});
    const bool last = from + length == size;
    if (!sent.answer) return last ? sent : failed(std::move(sent.answer).error());
    const int status = sent.answer->status;
    if (status == 404 || status == 410) {
      return {
          core::Error(core::ErrorCode::kUnknownOutcome, name + ": the upload's session is gone"), 1,
          sent.may_have_happened_before};
    }
    if (status != 308) return sent;
    const auto next = lacking_from(*sent.answer);
    if (next <= from || next >= size) {
      return failed({core::ErrorCode::kUnavailable,
                     core::text(name, ": the upload does not go on from byte ", from)});
    }
    from = next;
  }
}

}  // namespace icefield::object_store
