#include "object_store/s3/s3_put.h"

#include <utility>

#include "object_store/http/http_errors.h"
#include "object_store/http/resolved_put.h"
#include "object_store/internal/xml.h"
#include "object_store/s3/s3_checksums.h"
#include "object_store/s3/s3_errors.h"
#include "object_store/s3/s3_multipart.h"

namespace icefield::object_store {
namespace {

std::string id_header() {
  return std::string("x-amz-meta-") + kWriteIdName;
}

PutVerdict judge(const HttpResponse& answer, PutCondition::Kind condition) {
  const auto code = read_s3_error(answer).code;
  if (answer.status == 200 && code.empty()) return PutVerdict::kWritten;
  if (answer.status == 412) return PutVerdict::kRefused;
  if (answer.status == 409 &&
      (code.empty() || code == "ConditionalRequestConflict" || code == "OperationAborted")) {
    return PutVerdict::kDisturbed;
  }
  const bool absent = answer.status == 404 && code != "NoSuchBucket";
  if (absent && condition == PutCondition::Kind::kUnchangedSince) return PutVerdict::kRefused;
  return PutVerdict::kFailed;
}

core::Result<FoundWrite> look(const S3Client& client, const Key& key) {
  auto sent = client.send({.method = "HEAD", .key = key.value()});
  if (!sent.answer) return std::move(sent.answer).error();
  if (sent.answer->status != 200) return s3_error(client.name(key.value()), *sent.answer);
  TRY_ASSIGN(auto info, info_from_headers(key, *sent.answer));
  return FoundWrite{std::move(info), std::string(sent.answer->header(id_header()))};
}

}  // namespace

core::Result<ObjectInfo> put_s3(const S3Client& client, const Key& key,
                                std::span<const std::byte> bytes, const PutCondition& condition) {
  const bool in_parts = bytes.size() >= client.settings().multipart_from;
  const bool plain = condition.kind == PutCondition::Kind::kNone && !in_parts;
  const auto id = plain ? std::string() : fresh_write_id();
  PutSteps steps;
  steps.id = id;
  steps.send = [&]() -> Sent {
    auto conditions = condition_headers(condition);
    const Headers metadata = {{id_header(), id}};
    if (in_parts) return upload_in_parts(client, key.value(), bytes, metadata, conditions);
    if (!plain) conditions.push_back(metadata.front());
    if (client.settings().send_checksums) conditions.push_back(checksum_header(bytes));
    return client.send({.method = "PUT",
                        .key = key.value(),
                        .headers = std::move(conditions),
                        .body = bytes,
                        .may_conflict = true});
  };
  steps.judge = [&](const HttpResponse& answer) { return judge(answer, condition.kind); };
  steps.error_of = [&](const HttpResponse& answer) {
    return s3_error(client.name(key.value()), answer);
  };
  steps.look = [&] { return look(client, key); };
  steps.written = [&](const HttpResponse& answer) -> core::Result<ObjectInfo> {
    std::string tag(answer.header("etag"));
    if (in_parts) {
      TRY_ASSIGN(const auto document, parse_xml(core::as_text(answer.body)));
      tag = std::string(document.text_of("ETag"));
    }
    const auto date = parse_http_date(answer.header("date"));
    if (!tag.empty() && date) {
      return ObjectInfo{key, bytes.size(), Version(std::move(tag)), core::Instant(*date)};
    }
    TRY_ASSIGN(auto found, look(client, key));
    return std::move(found.info);
  };
  return resolve_put(steps);
}

}  // namespace icefield::object_store
