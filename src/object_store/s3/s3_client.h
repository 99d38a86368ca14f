#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"
#include "object_store/http/retry.h"
#include "object_store/http/url.h"
#include "object_store/s3/s3_settings.h"

namespace icefield::object_store {

/// One operation of the S3 protocol on a bucket (empty key) or an object.
struct S3Call {
  std::string method = "GET";
  std::string key = {};
  Query query = {};
  Headers headers = {};  // lower-case names
  std::span<const std::byte> body = {};
  std::uint64_t max_answer = std::uint64_t{1} << 40U;
};

/// Addresses, signs and sends calls, again where that helps; finds the bucket's region by redirect
/// and asks for new credentials when the service calls them expired. Thread-safe.
class S3Client {
 public:
  S3Client(S3Settings settings, std::vector<CredentialSource> sources, Sending sending);

  /// See send_retrying: an answer of any status that is not worth a retry is a result.
  Sent send(const S3Call& call) const;
  std::vector<core::Result<HttpResponse>> send_all(std::span<const S3Call> calls) const;

  const S3Settings& settings() const { return settings_; }

  /// "s3://bucket/key", for messages.
  std::string name(const std::string& key) const;

 private:
  core::Result<HttpRequest> request(const S3Call& call) const;
  // True when another try will differ: the region was corrected or the credentials forgotten.
  bool corrected(const core::Result<HttpResponse>& answer) const;
  std::string region() const;

  const S3Settings settings_;
  const Sending sending_;
  mutable CredentialKeeper keeper_;
  mutable std::mutex mutex_;  // guards region_
  mutable std::string region_;
};

}  // namespace icefield::object_store
