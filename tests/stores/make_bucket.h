#pragma once

#include <string>

#include "core/result.h"

namespace icefield {

/// Makes the bucket (container) of a store URL at the server that the environment names, unless it
/// exists. Object stores are never made by the product itself; only tests need this.
core::Status make_bucket(const std::string& url);

}  // namespace icefield
