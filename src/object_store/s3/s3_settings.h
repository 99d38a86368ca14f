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
  std::string endpoint;     // "https://host[:port]" without a path; empty: Amazon's of the region
  std::string region;       // empty: found by asking
  bool path_style = false;  // bucket in the path instead of the host name
  S3Access access = S3Access::kChain;
  Credentials keys = {};
  std::uint64_t multipart_from = std::uint64_t{16} << 20U;  // bytes of the first body sent in parts
  std::uint64_t part = std::uint64_t{8} << 20U;             // bytes of a part, at least 5 MiB
};

/// Settings by the variables that AWS tools share: AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL,
/// AWS_REGION, AWS_DEFAULT_REGION, AWS_VIRTUAL_HOSTED_STYLE_REQUEST, AWS_SKIP_SIGNATURE, and the
/// profile's region and endpoint_url. A bucket at an own endpoint, or with a dot in its name, is
/// addressed by path. Errors: kInvalidArgument for a bucket name or endpoint that cannot be one.
core::Result<S3Settings> s3_settings(std::string bucket, const Environment& environment);

}  // namespace icefield::object_store
