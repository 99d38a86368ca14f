#include "object_store/azure/azure_put.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/text.h"
#include "object_store/azure/azure_answers.h"
#include "object_store/http/http_errors.h"
#include "object_store/internal/digest.h"

namespace icefield::object_store {
namespace {

constexpr std::uint64_t kBlock = std::uint64_t{8} << 20U;
constexpr std::uint64_t kMostBlocks = 50'000;
constexpr std::size_t kBlocksAtOnce = 8;

std::string id_header() {
  return std::string("x-ms-meta-") + kWriteIdName;
}

PutVerdict judge(const HttpResponse& answer, PutCondition::Kind condition) {
  if (answer.status == 201) return PutVerdict::kWritten;
  const auto code = azure_error_code(answer);
  // unlike elsewhere, a lost race to create is 409 here
  if (answer.status == 412 || code == "BlobAlreadyExists") return PutVerdict::kRefused;
  if (condition == PutCondition::Kind::kUnchangedSince && code == "BlobNotFound") {
    return PutVerdict::kRefused;
  }
  // somebody else's put of this blob has dropped the blocks
  const bool dropped = code == "InvalidBlockList";
  if (dropped && condition != PutCondition::Kind::kNone) return PutVerdict::kRefused;
  return dropped || answer.status == 409 ? PutVerdict::kDisturbed : PutVerdict::kFailed;
}

/// The header by which a request tells its body's MD5.
Header md5_header(const char* name, std::span<const std::byte> body) {
  return {name, base64(md5(body))};
}

Sent put_in_blocks(const AzureClient& client, const Key& key, std::span<const std::byte> bytes,
                   Headers headers) {
  const auto block = std::max(kBlock, bytes.size() / kMostBlocks + 1);
  const auto upload = fresh_write_id();  // names of blocks are this upload's alone, equally long
  std::string list = "<?xml version=\"1.0\" encoding=\"utf-8\"?><BlockList>";
  std::uint64_t number = 0;
  for (std::uint64_t done = 0; done < bytes.size();) {
    std::vector<AzureCall> calls;
    for (; calls.size() < kBlocksAtOnce && done < bytes.size(); done += block) {
      const auto name = base64(core::as_bytes(core::text(upload, 1'000'000 + number++)));
      const auto body = bytes.subspan(done, std::min<std::uint64_t>(block, bytes.size() - done));
      list += "<Latest>" + name + "</Latest>";
      calls.push_back({.method = "PUT",
                       .key = key.value(),
                       .query = {{"comp", "block"}, {"blockid", name}},
                       .headers = {md5_header("content-md5", body)},
                       .body = body});
    }
    for (auto& answer : answers_of(client.send_all(calls))) {
      if (!answer) return {std::move(answer).error(), 1, false};
      if (answer->status != 201) return {std::move(answer), 1, false};
    }
  }
  list += "</BlockList>";
  headers.push_back(md5_header("x-ms-blob-content-md5", bytes));
  headers.push_back(md5_header("content-md5", core::as_bytes(list)));
  headers.push_back({"content-type", "application/xml"});
  return client.send({.method = "PUT",
                      .key = key.value(),
                      .query = {{"comp", "blocklist"}},
                      .headers = std::move(headers),
                      .body = core::as_bytes(list),
                      .may_conflict = true});
}

}  // namespace

core::Result<FoundWrite> look_at_blob(const AzureClient& client, const Key& key) {
  const auto sent = client.send({.method = "HEAD", .key = key.value()});
  if (!sent.answer) return sent.answer.error();
  if (sent.answer->status != 200) return azure_error(client.name(key.value()), *sent.answer);
  TRY_ASSIGN(auto info, info_from_headers(key, *sent.answer));
  return FoundWrite{std::move(info), std::string(sent.answer->header(id_header()))};
}

Headers AzurePut::headers() const {
  auto headers = condition_headers(order_->condition);
  if (!order_->id.empty()) headers.push_back({id_header(), order_->id});
  return headers;
}

AzureCall AzurePut::call() const {
  auto all = headers();
  all.push_back({"x-ms-blob-type", "BlockBlob"});
  all.push_back(md5_header("content-md5", order_->bytes));
  return {.method = "PUT",
          .key = order_->key.value(),
          .headers = std::move(all),
          .body = order_->bytes,
          .may_conflict = true};
}

PutSteps AzurePut::steps() const {
  PutSteps steps;
  steps.id = order_->id;
  steps.send = [this] {
    return order_->in_parts ? put_in_blocks(*client_, order_->key, order_->bytes, headers())
                            : client_->send(call());
  };
  steps.judge = [this](const HttpResponse& answer) {
    return judge(answer, order_->condition.kind);
  };
  steps.error_of = [this](const HttpResponse& answer) {
    return azure_error(client_->name(order_->key.value()), answer);
  };
  steps.look = [this] { return look_at_blob(*client_, order_->key); };
  steps.written = [this](const HttpResponse& answer) -> core::Result<ObjectInfo> {
    TRY_ASSIGN(const auto modified, parse_http_date(answer.header("last-modified")));
    return ObjectInfo{order_->key, order_->bytes.size(),
                      Version(std::string(answer.header("etag"))), core::Instant(modified)};
  };
  return steps;
}

}  // namespace icefield::object_store
