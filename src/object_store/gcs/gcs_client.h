#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"
#include "object_store/gcs/gcs_token.h"
#include "object_store/http/retry.h"
#include "object_store/http/url.h"
#include "object_store/internal/judged_send.h"

namespace icefield::object_store {

/// One operation of the JSON interface of Google Cloud Storage.
struct GcsCall {
  std::string method = "GET";
  std::string path = {};  // below the endpoint, percent-encoded: "/storage/v1/b/bucket/o/name"
  Query query = {};
  Headers headers = {};
  std::span<const std::byte> body = {};
  std::uint64_t max_answer = std::uint64_t{1} << 40U;
  std::string session = {};   // URL of an upload's session, instead of path and query; no token
  std::string object = {};    // "gs://bucket/key", for messages; empty: the URL
  bool whole = false;         // a GET of a whole object: its checksum is verified
  bool may_conflict = false;  // 409 is an answer; else it is tried again
};

/// Addresses, authorizes and sends calls, again where that helps: with a new token when the service
/// refuses the old one, after 409, and when the bytes are not those of their checksum. Thread-safe.
class GcsClient {
 public:
  /// `endpoint`: "https://storage.googleapis.com" or an emulator's. `tokens` null: anonymous.
  GcsClient(std::string bucket, std::string endpoint, std::unique_ptr<GcsTokens> tokens,
            Sending sending)
      : bucket_(std::move(bucket)),
        endpoint_(std::move(endpoint)),
        tokens_(std::move(tokens)),
        sending_(std::move(sending)) {}

  /// See send_retrying. Besides its errors: kCorrupt for a body that never had its checksum,
  /// kUnavailable for lasting 409s.
  Sent send(const GcsCall& call) const;
  std::vector<Sent> send_all(std::span<const GcsCall> calls) const;

  /// "/storage/v1/b/bucket/o/name", for a listing without the last part.
  std::string object_path(const std::string& key) const;
  std::string bucket_path() const;
  std::string upload_path() const;

  /// "gs://bucket/key", for messages.
  std::string name(const std::string& key) const { return "gs://" + bucket_ + "/" + key; }

 private:
  core::Result<HttpRequest> request(const GcsCall& call) const;
  NextStep judge(const GcsCall& call, core::Result<HttpResponse>& answer) const;

  std::string bucket_;
  std::string endpoint_;
  std::unique_ptr<GcsTokens> tokens_;
  Sending sending_;
};

}  // namespace icefield::object_store
