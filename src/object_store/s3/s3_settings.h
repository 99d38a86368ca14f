#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/result.h"
#include "object_store/http/retry.h"
#include "object_store/internal/environment.h"
#include "object_store/s3/credentials.h"

namespace icefield::object_store {

/// Who signs.
enum class S3Access {
  kChain,      // the first place of credential_chain that has keys
  kKeys,       // S3Settings::keys and nothing else
  kAnonymous,  // nobody: no place is ever asked
};

/// Where a bucket is and how it is spoken to.
struct S3Settings {
  std::string bucket;
  std::string endpoint;     // "https://host[:port][/path]", no '/' at the end; empty: Amazon's
  std::string region;       // empty: found by asking
  bool path_style = false;  // bucket in the path instead of the host name
  S3Access access = S3Access::kChain;
  Credentials keys = {};
  std::string leftovers_below = {};  // remove_leftovers aborts uploads of keys with this prefix
  bool send_checksums = true;        // with every put
  bool verify_checksums = true;      // of every whole object read
  std::uint64_t multipart_from = std::uint64_t{16} << 20U;  // bytes of the first body sent in parts
  std::uint64_t part = std::uint64_t{8} << 20U;             // bytes of a part, at least 5 MiB
};

/// Settings by the variables that AWS tools share: AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL,
/// AWS_REGION, AWS_DEFAULT_REGION, AWS_VIRTUAL_HOSTED_STYLE_REQUEST, AWS_SKIP_SIGNATURE,
/// AWS_REQUEST_CHECKSUM_CALCULATION and AWS_RESPONSE_CHECKSUM_VALIDATION (when_required: none), and
/// the profile's region, endpoint_url, request_checksum_calculation and
/// response_checksum_validation; AWS_IGNORE_CONFIGURED_ENDPOINT_URLS is obeyed. With
/// AWS_SKIP_SIGNATURE no profile is read. A bucket at an own endpoint, or with a dot in its name,
/// is addressed by path. Errors: kInvalidArgument for a bucket name or endpoint that cannot be one.
core::Result<S3Settings> s3_settings(std::string bucket, const Environment& environment);

}  // namespace icefield::object_store
