#pragma once

#include <string>

#include "core/result.h"
#include "object_store/http/retry.h"
#include "object_store/internal/environment.h"
#include "object_store/s3/credentials.h"

// The Security Token Service: credentials of a role for something else that proves who asks.
namespace icefield::object_store {

/// Which role is taken on.
struct RoleWanted {
  std::string arn;
  std::string session_name = "icefield";
  std::string external_id = {};
  std::string duration_seconds = {};  // empty: as long as the service likes
};

/// Where the service is: AWS_ENDPOINT_URL_STS, AWS_ENDPOINT_URL, or Amazon's of AWS_REGION,
/// AWS_DEFAULT_REGION, the profile's region; else the one for all regions.
struct TokenService {
  std::string url;     // ends in '/'
  std::string region;  // for signatures
};
TokenService token_service(const Environment& environment);

/// For a token that another identity provider gave, as it lies in `token_file`.
core::Result<Credentials> assume_role_with_web_identity(const TokenService& service,
                                                        const std::string& token_file,
                                                        const RoleWanted& role,
                                                        const Sending& sending);

/// For other credentials, which sign the request.
core::Result<Credentials> assume_role(const TokenService& service, const Credentials& source,
                                      const RoleWanted& role, const Sending& sending);

}  // namespace icefield::object_store
