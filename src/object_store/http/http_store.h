#pragma once

#include <memory>
#include <string>

#include "core/result.h"
#include "object_store/http/retry.h"
#include "object_store/object_store.h"

namespace icefield::object_store {

/// Files of a web server below `base` ("https://host/path/", ending in '/'), read-only: every write
/// is kUnsupported. Versions are entity tags, or modification times where the server has none.
/// Redirects are followed, never from https to http. Listings come from the index pages that the
/// server makes of folders; each object's size is asked for by HEAD.
/// Errors: kInvalidArgument for a base that is no such URL.
core::Result<std::unique_ptr<ObjectStore>> make_http_store(const std::string& base,
                                                           const Sending& sending);

}  // namespace icefield::object_store
