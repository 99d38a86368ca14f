#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "object_store/internal/environment.h"

// The files that AWS tools share: AWS_CONFIG_FILE and AWS_SHARED_CREDENTIALS_FILE, or
// ~/.aws/config and ~/.aws/credentials. The second prevails where both have a setting. Nested
// settings (indented) are left out.
namespace icefield::object_store {

using ProfileSettings = std::map<std::string, std::string, std::less<>>;

/// AWS_PROFILE, or "default".
std::string profile_name(const Environment& environment);

/// The settings of a profile; empty when no file has it.
ProfileSettings read_profile(const Environment& environment, const std::string& name);

/// A setting of the profile in use ("region", "endpoint_url").
std::optional<std::string> profile_setting(const Environment& environment, std::string_view name);

}  // namespace icefield::object_store
