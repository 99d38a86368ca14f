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

/// AWS_WEB_IDENTITY_TOKEN_FILE and AWS_ROLE_ARN, exchanged at the token service (token_service.h).
FoundCredentials credentials_from_web_identity(const Environment& environment,
                                               const Sending& sending);

/// What the profile AWS_PROFILE (or "default") of the shared files says (profile_files.h):
/// role_arn with web_identity_token_file, source_profile or credential_source; keys;
/// credential_process. Errors: kUnsupported for single sign-on and for devices that show codes.
FoundCredentials credentials_from_files(const Environment& environment, const Sending& sending);

/// AWS_CONTAINER_CREDENTIALS_FULL_URI or _RELATIVE_URI, with AWS_CONTAINER_AUTHORIZATION_TOKEN or
/// the content of AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE. Plain http only to this machine and to
/// the link-local addresses that containers use.
FoundCredentials credentials_from_container(const Environment& environment, const Sending& sending);

/// The URL that those variables name; nullopt when none does. Errors: kInvalidArgument for one that
/// must not be asked.
core::Result<std::optional<std::string>> container_url(const Environment& environment);

/// The instance metadata service, version 2 (session token), at AWS_EC2_METADATA_SERVICE_ENDPOINT
/// or its link-local address. `wanted`: something else than the environment asked for it; else see
/// credential_chain for when. Never with AWS_EC2_METADATA_DISABLED=true.
FoundCredentials credentials_from_instance(const Environment& environment, const Sending& sending,
                                           bool wanted = false);

/// Credentials from the JSON that the container and instance endpoints and programs give. Errors:
/// kCorrupt, without the text.
core::Result<Credentials> read_credentials_json(std::string_view json);

}  // namespace icefield::object_store
