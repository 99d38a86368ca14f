#pragma once

#include <string>

#include "core/result.h"
#include "icechunk/commit/repository.h"

namespace icefield::icechunk {

/// How an s3:// place is reached, which other places do not need.
struct RepointOptions {
  std::string region;        // empty: not stored
  std::string endpoint_url;  // empty: the provider's own
  bool anonymous = true;
  bool dry_run = false;  // only check
};

/// Persists another place for a named container: every reference stored relative to it follows,
/// and no manifest is touched. `url_prefix` is s3://, gs://, http(s):// or file:// (an absolute
/// path is a file). Gives the former prefix.
/// Errors: kNotFound: no container of that name; kInvalidArgument: a prefix that no reader takes.
core::Result<std::string> repoint(const Repository& repository, const std::string& name,
                                  const std::string& url_prefix, const RepointOptions& options);

}  // namespace icefield::icechunk
