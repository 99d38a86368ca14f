#include "object_store/open.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "object_store/azure/azure_store.h"
#include "object_store/gcs/gcs_store.h"
#include "object_store/http/http_store.h"
#include "object_store/internal/percent.h"
#include "object_store/internal/prefixed_store.h"
#include "object_store/key_rules.h"
#include "object_store/local/local_store.h"
#include "object_store/memory/memory_store.h"
#include "object_store/s3/s3_settings.h"
#include "object_store/s3/s3_store.h"

namespace icefield::object_store {
namespace {

using Opened = core::Result<std::unique_ptr<ObjectStore>>;

core::Error bad_url(std::string_view url, std::string_view why) {
  return {core::ErrorCode::kInvalidArgument,
          "'" + std::string(url) + "' is no store: " + std::string(why)};
}

/// Segments without '/' at either end -> "" or segments ending in '/'.
core::Result<std::string> read_prefix(std::string_view path) {
  while (path.ends_with('/')) path.remove_suffix(1);
  while (path.starts_with('/')) path.remove_prefix(1);
  if (path.empty()) return std::string();
  TRY(check_key(Key(std::string(path))));
  return std::string(path) + "/";
}

Durability durability_of(const OpenOptions& options) {
  return is_true(options.environment("ICEFIELD_LOCAL_SYNC")) ? Durability::kPowerCut
                                                             : Durability::kProcess;
}

Opened open_file(std::string_view rest, const OpenOptions& options) {
  if (rest.starts_with("localhost/")) rest.remove_prefix(std::string_view("localhost").size());
  if (!rest.starts_with('/')) {
    return bad_url("file://" + std::string(rest), "a file URL has three slashes: file:///path");
  }
  if (rest.find_first_of("?#") != std::string_view::npos) {
    return bad_url("file://" + std::string(rest), "write ? and # as %3F and %23");
  }
  TRY_ASSIGN(const auto path, percent_decode(rest));
  return make_local_store(path, durability_of(options));
}

Opened open_memory(std::string_view rest, const OpenOptions& /*options*/) {
  const auto slash = rest.find('/');
  const std::string name(rest.substr(0, slash));
  TRY_ASSIGN(auto prefix, read_prefix(slash == std::string_view::npos ? std::string_view()
                                                                      : rest.substr(slash)));
  return below_prefix(make_memory_store(name), std::move(prefix));
}

Sending sending_of(const OpenOptions& options) {
  return {&Transport::shared(), options.deadlines, options.retry, options.stop};
}

/// "bucket/some/prefix" in its two parts.
struct BucketAndPrefix {
  std::string bucket, prefix;
};
core::Result<BucketAndPrefix> read_bucket(std::string_view rest) {
  const auto slash = rest.find('/');
  if (slash == std::string_view::npos) return BucketAndPrefix{std::string(rest), ""};
  TRY_ASSIGN(auto prefix, read_prefix(rest.substr(slash)));
  return BucketAndPrefix{std::string(rest.substr(0, slash)), std::move(prefix)};
}

/// `environment` with one variable set otherwise.
Environment with(const Environment& environment, std::string_view variable,
                 const std::string& value) {
  return [=](std::string_view name) -> std::optional<std::string> {
    return name == variable ? std::optional(value) : environment(name);
  };
}

Opened open_s3(std::string_view rest, const OpenOptions& options) {
  TRY_ASSIGN(auto at, read_bucket(rest));
  auto environment = options.environment;
  if (!options.endpoint.empty()) {
    environment = with(environment, "AWS_ENDPOINT_URL_S3", options.endpoint);
  }
  if (!options.region.empty()) environment = with(environment, "AWS_REGION", options.region);
  if (options.access == Access::kAnonymous) {
    environment = with(environment, "AWS_SKIP_SIGNATURE", "true");
  }
  TRY_ASSIGN(auto settings, s3_settings(at.bucket, environment));
  settings.leftovers_below = at.prefix;
  return below_prefix(make_s3_store(settings, environment, sending_of(options)),
                      std::move(at.prefix));
}

Opened open_gcs(std::string_view rest, const OpenOptions& options) {
  TRY_ASSIGN(auto at, read_bucket(rest));
  if (at.bucket.size() < 3) return bad_url("gs://" + at.bucket, "it names no bucket");
  auto environment = options.environment;
  if (!options.endpoint.empty())
    environment = with(environment, "STORAGE_EMULATOR_HOST", options.endpoint);
  const auto access =
      options.access == Access::kAnonymous ? GcsAccess::kAnonymous : GcsAccess::kEnvironment;
  return below_prefix(make_gcs_store(at.bucket, access, environment, sending_of(options)),
                      std::move(at.prefix));
}

Opened open_azure(std::string_view rest, const OpenOptions& options) {
  TRY_ASSIGN(auto at, read_bucket(rest));
  auto environment = options.environment;
  if (!options.endpoint.empty())
    environment = with(environment, "AZURE_STORAGE_ENDPOINT", options.endpoint);
  TRY_ASSIGN(auto settings,
             azure_settings(at.bucket, environment, options.access == Access::kAnonymous));
  return below_prefix(make_azure_store(std::move(settings), sending_of(options)),
                      std::move(at.prefix));
}

Opened open_http(std::string_view rest, const OpenOptions& options) {
  return make_http_store("http://" + std::string(rest), sending_of(options));
}

Opened open_https(std::string_view rest, const OpenOptions& options) {
  return make_http_store("https://" + std::string(rest), sending_of(options));
}

struct Scheme {
  std::string_view name;
  Opened (*open)(std::string_view rest, const OpenOptions& options);
};

// Every kind of store. A new one is a folder, its conformance test, and a row here.
constexpr Scheme kSchemes[] = {
    {"file", open_file}, {"memory", open_memory}, {"s3", open_s3},       {"gs", open_gcs},
    {"az", open_azure},  {"http", open_http},     {"https", open_https},
};

}  // namespace

Opened open_store(std::string_view url, const OpenOptions& options) {
  const auto mark = url.find("://");
  if (mark == std::string_view::npos) {
    return make_local_store(std::string(url), durability_of(options));
  }
  const auto rest = url.substr(mark + 3);
  const auto authority = rest.substr(0, rest.find('/'));
  if (const auto at = authority.rfind('@'); at != std::string_view::npos) {
    const auto shown = std::string(url.substr(0, mark + 3)) + "***" + std::string(rest.substr(at));
    return bad_url(shown, "credentials do not belong into a URL");
  }
  const auto port = authority.substr(std::min(authority.rfind(':'), authority.size()));
  if (port.find_first_not_of("0123456789:") != std::string_view::npos &&
      !authority.ends_with(']')) {
    // half of user information that holds a '/'
    return bad_url(std::string(url.substr(0, mark + 3)) + "***", "its host has no port but text");
  }
  for (const auto& scheme : kSchemes) {
    if (scheme.name == url.substr(0, mark)) return scheme.open(rest, options);
  }
  std::string known;
  for (const auto& scheme : kSchemes) known += " " + std::string(scheme.name) + "://";
  return core::Error(core::ErrorCode::kUnsupported, "no store for URLs of the form " +
                                                        std::string(url.substr(0, mark)) +
                                                        "://; there are" + known);
}

}  // namespace icefield::object_store
