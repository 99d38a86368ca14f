#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/bytes.h"
#include "core/result.h"
#include "core/time.h"

namespace icefield::object_store {

struct Header {
  std::string name;  // of an answer: lower case
  std::string value;
};
using Headers = std::vector<Header>;

/// One request as it goes over the wire.
struct HttpRequest {
  std::string method = "GET";
  std::string url;  // absolute, percent-encoded, without user information
  Headers headers = {};
  std::span<const std::byte> body = {};                // lent until the request is answered
  std::uint64_t max_answer = std::uint64_t{1} << 40U;  // bytes of body; more is an error
};

/// A whole answer, whatever its status.
struct HttpResponse {
  int status = 0;
  Headers headers;
  core::Bytes body;

  /// The header's value, empty when absent. `name` in lower case.
  std::string_view header(std::string_view name) const;
};

/// A date as HTTP writes it: "Sun, 06 Nov 1994 08:49:37 GMT".
core::Result<core::Timestamp> parse_http_date(std::string_view text);
std::string format_http_date(core::Timestamp at);

/// Total size from "bytes 0-9/1234" (the answer's Content-Range); nullopt when not told.
std::optional<std::uint64_t> content_range_total(std::string_view value);

/// A non-negative decimal number, the whole text; nullopt else.
std::optional<std::uint64_t> parse_number(std::string_view text);

}  // namespace icefield::object_store
