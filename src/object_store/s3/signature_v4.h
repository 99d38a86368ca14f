#pragma once

#include <string>
#include <string_view>

#include "core/time.h"
#include "object_store/http/http_message.h"
#include "object_store/s3/credentials.h"

namespace icefield::object_store {

/// What a signature is for.
struct SigningScope {
  std::string region;
  std::string service = "s3";
};

/// Stands for the hash of a body that is not signed; only over TLS.
inline constexpr std::string_view kUnsignedPayload = "UNSIGNED-PAYLOAD";

/// Signs `request` by Signature Version 4, adding the headers x-amz-date, x-amz-content-sha256,
/// x-amz-security-token (with a session token) and authorization. Signed are host, content-md5,
/// content-type and every x-amz- header present. The URL's path must be percent-encoded as it is
/// sent, its query encoded and sorted as encode_query does. `payload_hash`: hex SHA-256 of the
/// body, or kUnsignedPayload.
void sign_v4(HttpRequest& request, const Credentials& credentials, const SigningScope& scope,
             std::string_view payload_hash, core::Timestamp now);

}  // namespace icefield::object_store
