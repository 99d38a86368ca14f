#pragma once

#include <string>

#include "core/result.h"
#include "object_store/http/retry.h"

// Requests to places that give secrets: token services, metadata servers. What such a place answers
// is never repeated in an Error, whatever its status.
namespace icefield::object_store {

/// The answer to the request that `make` makes for each attempt. Tried again as send_retrying does,
/// but less often and with shorter limits: nothing else can be done until this is known.
/// Errors: kUnavailable and those of the transport, with host, status and number of attempts.
core::Result<HttpResponse> ask_for_secret(const Sending& sending, const MakeRequest& make);

/// The body of a 200 answer from `url`. Errors: kPermissionDenied for other statuses, with the
/// service's own word for it ("AccessDenied", "invalid_grant") where it has one.
core::Result<std::string> secret_text(const std::string& url, const HttpResponse& answer);

/// Both for one request.
core::Result<std::string> fetch_secret(const Sending& sending, const HttpRequest& request);

/// A file that holds one token: its text without line ends behind it. Errors: of reading.
core::Result<std::string> read_token_file(const std::string& path);

}  // namespace icefield::object_store
