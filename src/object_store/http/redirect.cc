#include "object_store/http/redirect.h"

#include <utility>

#include "object_store/http/url.h"

namespace icefield::object_store {
namespace {

constexpr int kMostRedirects = 5;

}  // namespace

std::string redirect_target(std::string_view url, const HttpResponse& answer) {
  const int status = answer.status;
  if (status != 301 && status != 302 && status != 303 && status != 307 && status != 308) return {};
  const auto from = parse_url(url);
  std::string to(answer.header("location"));
  if (!from || to.empty()) return {};
  if (to.starts_with("//")) {
    to = from->scheme + ":" + to;
  } else if (to.starts_with('/')) {
    to = from->origin() + to;
  } else if (to.find("://") == std::string::npos) {
    to = from->origin() + from->path.substr(0, from->path.rfind('/') + 1) + to;
  }
  const auto target = parse_url(to);
  if (!target || (from->scheme == "https" && target->scheme == "http")) return {};
  return to;
}

std::vector<core::Result<HttpResponse>> send_all_following(
    const Sending& sending, std::size_t number,
    const std::function<HttpRequest(std::size_t item)>& make) {
  auto answers = answers_of(send_all_retrying(
      sending, number, [&make](std::size_t item, int /*attempt*/) { return make(item); }));
  for (std::size_t item = 0; item < number; ++item) {
    auto request = make(item);
    for (int hops = 0; answers[item] && hops < kMostRedirects; ++hops) {
      request.url = redirect_target(request.url, *answers[item]);
      if (request.url.empty()) break;
      answers[item] =
          send_retrying(sending, [&request](int /*attempt*/) { return request; }).answer;
    }
  }
  return answers;
}

}  // namespace icefield::object_store
