#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"
#include "object_store/http/retry.h"
#include "object_store/http/url.h"
#include "object_store/internal/judged_send.h"
#include "object_store/internal/server_clock.h"
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
  bool whole = false;         // a GET of a whole object: its checksum is asked for and verified
  bool may_conflict = false;  // 409 is an answer; else it is tried again
};

/// Addresses, signs and sends calls, again where that helps: finds the bucket's region by redirect,
/// asks for new credentials when the service calls them expired, takes over its clock when it finds
/// the signature's time wrong, and repeats what it could not do just then (409) and what was
/// damaged on its way (checksums). Thread-safe.
class S3Client {
 public:
  S3Client(S3Settings settings, std::vector<CredentialSource> sources, Sending sending);

  /// See send_retrying: an answer of any status that is not worth a retry is a result. Besides its
  /// errors: kCorrupt for a body that never had its checksum, kUnavailable for lasting 409s,
  /// kUnknownOutcome for an answer of success that turned into an error.
  Sent send(const S3Call& call) const;
  std::vector<Sent> send_all(std::span<const S3Call> calls) const;

  const S3Settings& settings() const { return settings_; }

  /// "s3://bucket/key", for messages.
  std::string name(const std::string& key) const;

 private:
  // `elsewhere`: origin and path that a temporary redirect named; empty: the bucket's own.
  core::Result<HttpRequest> request(const S3Call& call, const std::string& elsewhere) const;
  // What a request was made with; others may have learnt better before its answer is judged.
  struct Belief {
    std::string region;
    std::int64_t ahead_s;
  };
  Belief belief() const { return {region(), clock_.ahead()}; }
  NextStep judge(const S3Call& call, const Belief& then, core::Result<HttpResponse>& answer) const;
  NextStep judge_refusal(const S3Call& call, const Belief& then,
                         core::Result<HttpResponse>& answer) const;
  // Why a HEAD was refused, which only the answer to a GET tells, put into `answer`.
  void ask_why(const S3Call& call, HttpResponse& answer) const;
  bool corrected_region(std::string_view other, const Belief& then) const;
  std::string region() const;

  const S3Settings settings_;
  const Sending sending_;
  mutable CredentialKeeper keeper_;
  mutable ServerClock clock_;
  mutable std::mutex mutex_;  // guards region_
  mutable std::string region_;
};

}  // namespace icefield::object_store
