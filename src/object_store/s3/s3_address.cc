#include "object_store/s3/s3_address.h"

#include "object_store/internal/percent.h"

namespace icefield::object_store {
namespace {

std::string amazon_host(const std::string& region) {
  return "s3." + region + (region.starts_with("cn-") ? ".amazonaws.com.cn" : ".amazonaws.com");
}

std::string origin_of(const S3Settings& settings, const std::string& region) {
  auto whole = settings.endpoint.empty() ? "https://" + amazon_host(region) : settings.endpoint;
  if (settings.path_style) return whole;
  const auto host = whole.find("://") + 3;
  return whole.substr(0, host) + settings.bucket + "." + whole.substr(host);
}

}  // namespace

std::string s3_url(const S3Settings& settings, const std::string& region, const std::string& key,
                   const Query& query) {
  auto url = origin_of(settings, region);
  if (settings.path_style) url += "/" + settings.bucket;
  if (!key.empty()) url += "/" + percent_encode_segments(key);
  if (key.empty() && !settings.path_style) url += "/";
  if (!query.empty()) url += "?" + encode_query(query);
  return url;
}

std::string temporary_place(std::string_view location, const S3Settings& settings) {
  const auto url = parse_url(location);
  if (!url) return {};
  const bool tls = !settings.endpoint.starts_with("http://");
  if (tls && url->scheme != "https") return {};
  return url->origin() + url->path;
}

}  // namespace icefield::object_store
