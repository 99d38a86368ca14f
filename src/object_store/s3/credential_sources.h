#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/result.h"
#include "object_store/http/retry.h"
#include "object_store/internal/environment.h"
#include "object_store/s3/credentials.h"

// The places where credentials for S3 may be found. Each gives nullopt when it is not set up.
// Errors: kInvalidArgument for a set-up that cannot work, those of the request where one is made.
namespace icefield::object_store {

using FoundCredentials = core::Result<std::optional<Credentials>>;

/// AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN.
FoundCredentials credentials_from_variables(const Environment& environment);

/// AWS_WEB_IDENTITY_TOKEN_FILE and AWS_ROLE_ARN, exchanged at the token service
/// (AWS_ENDPOINT_URL_STS, else that of AWS_REGION).
FoundCredentials credentials_from_web_identity(const Environment& environment,
                                               const Sending& sending);

/// The keys of AWS_PROFILE (or "default") in AWS_SHARED_CREDENTIALS_FILE and AWS_CONFIG_FILE, or in
/// ~/.aws/credentials and ~/.aws/config.
FoundCredentials credentials_from_files(const Environment& environment);

/// AWS_CONTAINER_CREDENTIALS_FULL_URI or _RELATIVE_URI, with AWS_CONTAINER_AUTHORIZATION_TOKEN or
/// the content of AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE. Plain http only to this machine and to
/// the two link-local addresses that containers use.
FoundCredentials credentials_from_container(const Environment& environment, const Sending& sending);

/// The instance metadata service, version 2 (session token). See credential_chain for when.
FoundCredentials credentials_from_instance(const Environment& environment, const Sending& sending);

/// A setting of the profile in use, from the same files ("region", "endpoint_url").
std::optional<std::string> profile_setting(const Environment& environment, std::string_view name);

/// Credentials from the JSON that the container and instance endpoints give. Errors: kCorrupt,
/// without the text.
core::Result<Credentials> read_credentials_json(std::string_view json);

}  // namespace icefield::object_store
