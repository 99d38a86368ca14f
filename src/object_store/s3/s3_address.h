#pragma once

#include <string>
#include <string_view>

#include "object_store/http/url.h"
#include "object_store/s3/s3_settings.h"

namespace icefield::object_store {

/// The URL of an operation on a bucket (empty key) or an object: bucket in the host name, or first
/// in the path, at the settings' endpoint or Amazon's of `region`.
std::string s3_url(const S3Settings& settings, const std::string& region, const std::string& key,
                   const Query& query);

/// Origin and path of a temporary redirect to `location`; empty when it must not be followed (from
/// https to http).
std::string temporary_place(std::string_view location, const S3Settings& settings);

}  // namespace icefield::object_store
