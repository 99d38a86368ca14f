#include "object_store/http/url.h"

#include <algorithm>

#include "object_store/internal/percent.h"

namespace icefield::object_store {

core::Result<Url> parse_url(std::string_view text) {
  const auto refuse = [](const std::string& why) {
    return core::Error(core::ErrorCode::kInvalidArgument, why);
  };
  const auto mark = text.find("://");
  if (mark == std::string_view::npos) return refuse("'" + std::string(text) + "' is no URL");
  Url url{.scheme = std::string(text.substr(0, mark)), .authority = {}, .path = {}, .query = {}};
  if (url.scheme != "http" && url.scheme != "https") {
    return refuse("not an http or https URL: " + url.scheme + "://");
  }
  auto rest = text.substr(mark + 3);
  url.authority = std::string(rest.substr(0, rest.find_first_of("/?#")));
  rest.remove_prefix(url.authority.size());
  if (url.authority.find('@') != std::string::npos) {
    return refuse("credentials do not belong into a URL (" + url.scheme + "://***@...)");
  }
  if (url.authority.empty()) return refuse("'" + std::string(text) + "' names no host");
  if (rest.find('#') != std::string_view::npos) return refuse("a URL here has no '#'");
  const auto question = rest.find('?');
  url.path = std::string(rest.substr(0, question));
  if (question != std::string_view::npos) url.query = std::string(rest.substr(question + 1));
  return url;
}

std::string encode_query(Query query) {
  std::ranges::sort(query);
  std::string out;
  for (const auto& [name, value] : query) {
    if (!out.empty()) out += '&';
    out += percent_encode_all(name) + "=" + percent_encode_all(value);
  }
  return out;
}

}  // namespace icefield::object_store
