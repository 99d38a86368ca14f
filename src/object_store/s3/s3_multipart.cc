#include "object_store/s3/s3_multipart.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/text.h"
#include "object_store/internal/xml.h"
#include "object_store/s3/s3_errors.h"

namespace icefield::object_store {
namespace {

constexpr std::uint64_t kMostParts = 10'000;
constexpr std::size_t kPartsAtOnce = 8;

core::Result<std::string> begin_upload(const S3Client& client, const std::string& key,
                                       const Headers& metadata) {
  auto sent =
      client.send({.method = "POST", .key = key, .query = {{"uploads", ""}}, .headers = metadata});
  if (!sent.answer) return std::move(sent.answer).error();
  if (sent.answer->status != 200) return s3_error(client.name(key), *sent.answer);
  TRY_ASSIGN(const auto document, parse_xml(core::as_text(sent.answer->body)));
  auto id = std::string(document.text_of("UploadId"));
  if (id.empty()) return core::Error(core::ErrorCode::kCorrupt, "the upload was given no id");
  return id;
}

// The parts' entity tags, in order.
core::Result<std::vector<std::string>> upload_parts(const S3Client& client, const std::string& key,
                                                    const std::string& upload,
                                                    std::span<const std::byte> bytes) {
  const auto part = std::max(client.settings().part, bytes.size() / kMostParts + 1);
  std::vector<std::string> tags;
  for (std::uint64_t done = 0; done < bytes.size();) {
    std::vector<S3Call> calls;
    for (; calls.size() < kPartsAtOnce && done < bytes.size(); done += part) {
      const auto number = tags.size() + calls.size() + 1;
      calls.push_back(
          {.method = "PUT",
           .key = key,
           .query = {{"partNumber", std::to_string(number)}, {"uploadId", upload}},
           .body = bytes.subspan(done, std::min<std::uint64_t>(part, bytes.size() - done))});
    }
    for (auto& answer : client.send_all(calls)) {
      if (!answer) return std::move(answer).error();
      if (answer->status != 200) return s3_error(client.name(key), *answer);
      tags.emplace_back(answer->header("etag"));
    }
  }
  return tags;
}

std::string completion(const std::vector<std::string>& tags) {
  std::string body = "<CompleteMultipartUpload>";
  for (std::size_t i = 0; i < tags.size(); ++i) {
    body += core::text("<Part><PartNumber>", i + 1, "</PartNumber><ETag>", xml_escape(tags[i]),
                       "</ETag></Part>");
  }
  return body + "</CompleteMultipartUpload>";
}

}  // namespace

Sent upload_in_parts(const S3Client& client, const std::string& key,
                     std::span<const std::byte> bytes, const Headers& metadata,
                     const Headers& conditions) {
  auto upload = begin_upload(client, key, metadata);
  if (!upload) return {std::move(upload).error(), 1, false};
  const auto abort = [&] {
    static_cast<void>(
        client.send({.method = "DELETE", .key = key, .query = {{"uploadId", *upload}}}));
  };
  const auto tags = upload_parts(client, key, *upload, bytes);
  if (!tags) {
    abort();
    return {tags.error(), 1, false};
  }
  const auto body = completion(*tags);
  auto sent = client.send({.method = "POST",
                           .key = key,
                           .query = {{"uploadId", *upload}},
                           .headers = conditions,
                           .body = core::as_bytes(body)});
  if (sent.answer && sent.answer->status >= 400) abort();
  return sent;
}

}  // namespace icefield::object_store
