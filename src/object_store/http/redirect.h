#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "object_store/http/retry.h"

namespace icefield::object_store {

/// As send_all_retrying, and follows redirects of GET and HEAD: at most five, never from https to
/// http. A redirect that is not followed is the answer.
std::vector<core::Result<HttpResponse>> send_all_following(
    const Sending& sending, std::size_t number,
    const std::function<HttpRequest(std::size_t item)>& make);

/// Where the answer to `url` sends the client; empty when it does not, or when it must not go.
std::string redirect_target(std::string_view url, const HttpResponse& answer);

}  // namespace icefield::object_store
