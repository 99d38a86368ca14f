#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.h"

namespace icefield::object_store {

/// "https://host:port" and a path, as far as stores need them.
struct Url {
  std::string scheme;     // "http" or "https"
  std::string authority;  // host, and ":port" when one is given
  std::string path;       // percent-encoded, starts with '/' or is empty
  std::string query;      // without '?'

  /// "https://host:port"
  std::string origin() const { return scheme + "://" + authority; }
};

/// Errors: kInvalidArgument for anything but http and https, an empty host, a fragment, or user
/// information, which is not repeated in the message.
core::Result<Url> parse_url(std::string_view text);

/// The URL without its query, which may hold a token: the form for messages.
inline std::string_view shown(std::string_view url) {
  return url.substr(0, url.find('?'));
}

using Query = std::vector<std::pair<std::string, std::string>>;

/// "a=1&b=%2F": names and values percent-encoded, sorted by name.
std::string encode_query(Query query);

}  // namespace icefield::object_store
