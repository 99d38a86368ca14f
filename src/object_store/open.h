#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/result.h"
#include "object_store/http/retry.h"
#include "object_store/internal/environment.h"
#include "object_store/object_store.h"

namespace icefield::object_store {

/// Who asks the service.
enum class Access {
  kFromEnvironment,  // the credentials that the service's own tools would find
  kAnonymous,        // nobody; no place that may hold credentials is looked at or contacted
};

/// What a URL does not say. Only for stores behind a network; the others ignore it.
struct OpenOptions {
  Access access = Access::kFromEnvironment;
  std::string endpoint = {};  // instead of the one that the environment names
  std::string region = {};    // likewise
  Deadlines deadlines = {};
  RetryPolicy retry = {};
  std::stop_token stop = {};  // ends every call under way, and each later one, with kCancelled
  Environment environment = process_environment();
};

/// The store behind a URL; every key of the store is relative to it. Nothing is contacted or
/// created: an absent folder is an empty store, and the first put makes it.
///
///   /data/x  ./x  x         a folder on local disk (the working directory completes it); with
///                           ICEFIELD_LOCAL_SYNC=1 in the environment each put survives a power cut
///   file:///data/x%20y      the same; the path is percent-decoded
///   s3://BUCKET[/prefix]    a bucket that speaks S3; see s3/s3_settings.h for the variables
///   gs://BUCKET[/prefix]    Google Cloud Storage; see gcs/gcs_token.h
///   az://CONTAINER[/prefix] Azure Blob Storage; see azure/azure_settings.h
///   http(s)://HOST/path/    files of a web server, read-only; see http/http_store.h
///   memory://               a fresh store that dies with the returned object
///   memory://NAME[/prefix]  the store of that name in this process, kept until it ends
///
/// Errors: kInvalidArgument for text that is no such URL or holds user information (a password
/// would end up in stored metadata), kUnsupported for a scheme that no store here has.
core::Result<std::unique_ptr<ObjectStore>> open_store(std::string_view url,
                                                      const OpenOptions& options = {});

}  // namespace icefield::object_store
