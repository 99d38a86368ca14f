#include "object_store/s3/s3_put.h"

#include <utility>

#include "object_store/http/http_errors.h"
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

}  // namespace

S3Call S3Put::call() const {
  auto headers = condition_headers(order_->condition);
  if (!order_->id.empty()) headers.push_back({id_header(), order_->id});
  if (client_->settings().send_checksums) headers.push_back(checksum_header(order_->bytes));
  return {.method = "PUT",
          .key = order_->key.value(),
          .headers = std::move(headers),
          .body = order_->bytes,
          .may_conflict = true};
}

PutSteps S3Put::steps() const {
  PutSteps steps;
  steps.id = order_->id;
  steps.send = [this]() -> Sent {
    if (!order_->in_parts) return client_->send(call());
    return upload_in_parts(*client_, order_->key.value(), order_->bytes,
                           {{id_header(), order_->id}}, condition_headers(order_->condition));
  };
  steps.judge = [this](const HttpResponse& answer) {
    return judge(answer, order_->condition.kind);
  };
  steps.error_of = [this](const HttpResponse& answer) {
    return s3_error(client_->name(order_->key.value()), answer);
  };
  steps.look = [this] { return look(); };
  steps.written = [this](const HttpResponse& answer) { return written(answer); };
  return steps;
}

core::Result<ObjectInfo> S3Put::written(const HttpResponse& answer) const {
  std::string tag(answer.header("etag"));
  if (order_->in_parts) {
    TRY_ASSIGN(const auto document, parse_xml(core::as_text(answer.body)));
    tag = std::string(document.text_of("ETag"));
  }
  const auto date = parse_http_date(answer.header("date"));
  if (!tag.empty() && date) {
    return ObjectInfo{order_->key, order_->bytes.size(), Version(std::move(tag)),
                      core::Instant(*date)};
  }
  TRY_ASSIGN(auto found, look());
  return std::move(found.info);
}

core::Result<FoundWrite> S3Put::look() const {
  auto sent = client_->send({.method = "HEAD", .key = order_->key.value()});
  if (!sent.answer) return std::move(sent.answer).error();
  if (sent.answer->status != 200) return s3_error(client_->name(order_->key.value()), *sent.answer);
  TRY_ASSIGN(auto info, info_from_headers(order_->key, *sent.answer));
  return FoundWrite{std::move(info), std::string(sent.answer->header(id_header()))};
}

}  // namespace icefield::object_store
