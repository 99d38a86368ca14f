#include "object_store/s3/s3_multipart.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/text.h"
#include "object_store/internal/iso_time.h"
#include "object_store/internal/xml.h"
#include "object_store/s3/s3_checksums.h"
#include "object_store/s3/s3_errors.h"

namespace icefield::object_store {
namespace {

constexpr std::uint64_t kMostParts = 10'000;
constexpr std::size_t kPartsAtOnce = 8;

core::Result<std::string> begin_upload(const S3Client& client, const std::string& key,
                                       Headers metadata) {
  if (client.settings().send_checksums) {
    // of the whole object, so that a reader can compare it; not of the parts' sums
    metadata.push_back({"x-amz-checksum-algorithm", "CRC32C"});
    metadata.push_back({"x-amz-checksum-type", "FULL_OBJECT"});
  }
  auto sent = client.send(
      {.method = "POST", .key = key, .query = {{"uploads", ""}}, .headers = std::move(metadata)});
  if (!sent.answer) return std::move(sent.answer).error();
  if (sent.answer->status != 200) return s3_error(client.name(key), *sent.answer);
  TRY_ASSIGN(const auto document, parse_xml(core::as_text(sent.answer->body)));
  auto id = std::string(document.text_of("UploadId"));
  if (id.empty()) return core::Error(core::ErrorCode::kCorrupt, "the upload was given no id");
  return id;
}

struct Part {
  std::string tag;
  std::string checksum;  // empty: none was sent
};

// The parts in order.
core::Result<std::vector<Part>> upload_parts(const S3Client& client, const std::string& key,
                                             const std::string& upload,
                                             std::span<const std::byte> bytes) {
  const auto part = std::max(client.settings().part, bytes.size() / kMostParts + 1);
  std::vector<Part> parts;
  for (std::uint64_t done = 0; done < bytes.size();) {
    std::vector<S3Call> calls;
    for (; calls.size() < kPartsAtOnce && done < bytes.size(); done += part) {
      const auto number = parts.size() + calls.size() + 1;
      const auto body = bytes.subspan(done, std::min<std::uint64_t>(part, bytes.size() - done));
      calls.push_back({.method = "PUT",
                       .key = key,
                       .query = {{"partNumber", std::to_string(number)}, {"uploadId", upload}},
                       .body = body});
      if (client.settings().send_checksums) calls.back().headers = {checksum_header(body)};
    }
    const auto answers = answers_of(client.send_all(calls));
    for (std::size_t i = 0; i < answers.size(); ++i) {
      if (!answers[i]) return answers[i].error();
      if (answers[i]->status != 200) return s3_error(client.name(key), *answers[i]);
      const auto& headers = calls[i].headers;
      parts.push_back({std::string(answers[i]->header("etag")),
                       headers.empty() ? std::string() : headers.front().value});
    }
  }
  return parts;
}

std::string completion(const std::vector<Part>& parts) {
  std::string body = "<CompleteMultipartUpload>";
  for (std::size_t i = 0; i < parts.size(); ++i) {
    body += core::text("<Part><PartNumber>", i + 1, "</PartNumber><ETag>", xml_escape(parts[i].tag),
                       "</ETag>");
    if (!parts[i].checksum.empty()) {
      body += core::text("<ChecksumCRC32C>", parts[i].checksum, "</ChecksumCRC32C>");
    }
    body += "</Part>";
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
  const auto parts = upload_parts(client, key, *upload, bytes);
  if (!parts) {
    abort();
    return {parts.error(), 1, false};
  }
  const auto body = completion(*parts);
  Headers headers = conditions;
  if (client.settings().send_checksums) headers.push_back({"x-amz-checksum-type", "FULL_OBJECT"});
  auto sent = client.send({.method = "POST",
                           .key = key,
                           .query = {{"uploadId", *upload}},
                           .headers = std::move(headers),
                           .body = core::as_bytes(body),
                           .may_conflict = true});
  if (!sent.answer || sent.answer->status < 400) return sent;
  if (read_s3_error(*sent.answer).code == "NoSuchUpload") {
    sent.answer = core::Error(core::ErrorCode::kUnknownOutcome,
                              s3_error(client.name(key), *sent.answer).message());
  } else {
    abort();
  }
  return sent;
}

core::Result<std::size_t> abort_uploads(const S3Client& client, const std::string& prefix,
                                        core::Instant older_than) {
  std::size_t aborted = 0;
  Query from;
  for (;;) {
    Query query = {{"uploads", ""}, {"prefix", prefix}};
    query.insert(query.end(), from.begin(), from.end());
    auto sent = client.send({.query = std::move(query)});
    if (!sent.answer) return std::move(sent.answer).error();
    if (sent.answer->status != 200) return s3_error(client.name(prefix), *sent.answer);
    TRY_ASSIGN(const auto document, parse_xml(core::as_text(sent.answer->body)));
    for (const auto& upload : document.children) {
      if (upload.name != "Upload") continue;
      TRY_ASSIGN(const auto begun, read_iso_time(upload.text_of("Initiated")));
      const std::string key(upload.text_of("Key"));
      if (begun >= older_than || !key.starts_with(prefix)) continue;
      const auto gone =
          client.send({.method = "DELETE",
                       .key = key,
                       .query = {{"uploadId", std::string(upload.text_of("UploadId"))}}});
      if (!gone.answer) return gone.answer.error();
      if (gone.answer->status / 100 == 2) ++aborted;
      if (gone.answer->status / 100 != 2 && gone.answer->status != 404) {
        return s3_error(client.name(key), *gone.answer);
      }
    }
    const std::string next(document.text_of("NextKeyMarker"));
    if (document.text_of("IsTruncated") != "true" || next.empty()) return aborted;
    from = {{"key-marker", next},
            {"upload-id-marker", std::string(document.text_of("NextUploadIdMarker"))}};
  }
}

}  // namespace icefield::object_store
