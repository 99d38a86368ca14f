#include "object_store/gcs/gcs_put.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/json.h"
#include "core/text.h"
#include "object_store/gcs/gcs_answers.h"
#include "object_store/internal/checksum.h"

namespace icefield::object_store {
namespace {

constexpr std::uint64_t kPart = 8U << 20U;  // a multiple of 256 KiB

Query condition_query(const PutCondition& condition) {
  switch (condition.kind) {
    case PutCondition::Kind::kNone:
      return {};
    case PutCondition::Kind::kAbsent:
      return {{"ifGenerationMatch", "0"}};
    case PutCondition::Kind::kUnchangedSince: {
      // what is no generation of this service (0 would mean: absent) matches nothing
      const auto since = condition.since ? parse_number(condition.since->value()) : std::nullopt;
      return {{"ifGenerationMatch", since && *since != 0 ? std::to_string(*since) : "1"}};
    }
  }
  return {};
}

PutVerdict judge(const HttpResponse& answer, PutCondition::Kind condition) {
  if (answer.status == 200) return PutVerdict::kWritten;
  if (answer.status == 412) return PutVerdict::kRefused;
  if (answer.status == 409) return PutVerdict::kDisturbed;
  if (answer.status == 404 && condition == PutCondition::Kind::kUnchangedSince) {
    return PutVerdict::kRefused;
  }
  return PutVerdict::kFailed;
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

std::string GcsPut::resource() const {
  auto resource = core::Json::object(
      {{"name", order_->key.value()}, {"crc32c", base64_of(crc32c(order_->bytes))}});
  if (!order_->id.empty()) {
    resource.set("metadata", core::Json::object({{kWriteIdName, order_->id}}));
  }
  return resource.dump();
}

Query GcsPut::query(const char* type) const {
  auto query = condition_query(order_->condition);
  query.emplace_back("uploadType", type);
  query.emplace_back("name", order_->key.value());
  return query;
}

// A body of two parts. The boundary does not occur in bytes made before it was drawn.
GcsCall GcsPut::call() {
  const auto boundary = fresh_write_id();
  const auto head =
      core::text("--", boundary, "\r\ncontent-type: application/json\r\n\r\n", resource(), "\r\n--",
                 boundary, "\r\ncontent-type: application/octet-stream\r\n\r\n");
  const auto tail = core::text("\r\n--", boundary, "--\r\n");
  body_.clear();
  body_.reserve(head.size() + order_->bytes.size() + tail.size());
  for (const auto part : {core::as_bytes(head), order_->bytes, core::as_bytes(tail)}) {
    body_.insert(body_.end(), part.begin(), part.end());
  }
  return {.method = "POST",
          .path = client_->upload_path(),
          .query = query("multipart"),
          .headers = {{"content-type", "multipart/related; boundary=" + boundary}},
          .body = body_,
          .object = client_->name(order_->key.value()),
          .may_conflict = true};
}

PutSteps GcsPut::steps() {
  PutSteps steps;
  steps.id = order_->id;
  steps.send = [this] { return order_->in_parts ? upload_resumable() : client_->send(call()); };
  steps.judge = [this](const HttpResponse& answer) {
    return judge(answer, order_->condition.kind);
  };
  steps.error_of = [this](const HttpResponse& answer) {
    return gcs_error(client_->name(order_->key.value()), answer);
  };
  steps.look = [this] { return look_at_object(*client_, order_->key); };
  steps.written = [this](const HttpResponse& answer) -> core::Result<ObjectInfo> {
    TRY_ASSIGN(auto written, read_gcs_object(order_->key, answer));
    return std::move(written.info);
  };
  return steps;
}

// In a session that takes parts, each of which is sent again alone when it fails; the conditions
// hold when the last one is in. A session that fails is ended. Gives what the last part gave.
Sent GcsPut::upload_resumable() const {
  const auto description = resource();
  const auto size = order_->bytes.size();
  auto begun = client_->send({.method = "POST",
                              .path = client_->upload_path(),
                              .query = query("resumable"),
                              .headers = {{"content-type", "application/json"},
                                          {"x-upload-content-length", std::to_string(size)}},
                              .body = core::as_bytes(description),
                              .object = client_->name(order_->key.value()),
                              .may_conflict = true});
  if (!begun.answer || begun.answer->status != 200) return begun;
  const std::string session(begun.answer->header("location"));
  const auto failed = [&](core::Error error) -> Sent {
    static_cast<void>(client_->send({.method = "DELETE", .session = session}));
    return {std::move(error), 1, false};
  };
  const auto name = client_->name(order_->key.value());
  for (std::uint64_t from = 0;;) {
    const auto length = std::min<std::uint64_t>(kPart, size - from);
    auto sent =
        client_->send({.method = "PUT",
                       .headers = {{"content-range",
                                    core::text("bytes ", from, "-", from + length - 1, "/", size)}},
                       .body = order_->bytes.subspan(from, length),
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

core::Result<FoundWrite> look_at_object(const GcsClient& client, const Key& key) {
  auto sent = client.send({.path = client.object_path(key.value())});
  if (!sent.answer) return std::move(sent.answer).error();
  if (sent.answer->status != 200) return gcs_error(client.name(key.value()), *sent.answer);
  return read_gcs_object(key, *sent.answer);
}

}  // namespace icefield::object_store
