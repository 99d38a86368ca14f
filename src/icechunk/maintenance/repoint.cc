#include "icechunk/maintenance/repoint.h"

#include <algorithm>
#include <string_view>

#include "icechunk/commit/refs.h"
#include "icechunk/format/virtual_container.h"
#include "icechunk/maintenance/changeable.h"

namespace icefield::icechunk {
namespace {

core::Result<VirtualContainer> container_at(const std::string& name, std::string url,
                                            const RepointOptions& options) {
  constexpr std::string_view kFile = "file://";
  if (!url.ends_with('/')) url += '/';
  if (url.starts_with('/') || url.starts_with(kFile)) {
    return local_container(name, url.starts_with('/') ? url : url.substr(kFile.size()));
  }
  VirtualContainer container;
  container.name = name;
  container.url_prefix = url;
  const std::string scheme = url.substr(0, url.find("://"));
  if (scheme == "s3") {
    container.kind = options.endpoint_url.empty() ? StoreKind::kS3 : StoreKind::kS3Compatible;
    container.s3.anonymous = options.anonymous;
    if (!options.region.empty()) container.s3.region = options.region;
    if (!options.endpoint_url.empty()) {
      container.s3.endpoint_url = options.endpoint_url;
      container.s3.allow_http = options.endpoint_url.starts_with("http://");
      container.s3.force_path_style = true;
    }
  } else if (scheme == "gs" || scheme == "gcs") {
    container.kind = StoreKind::kGcs;
  } else if (scheme == "http" || scheme == "https") {
    container.kind = StoreKind::kHttp;
  } else {
    return core::Error(core::ErrorCode::kInvalidArgument,
                       "repoint: no store for " + url + " (s3, gs, http, https, file)");
  }
  return container;
}

}  // namespace

core::Result<std::string> repoint(const Repository& repository, const std::string& name,
                                  const std::string& url_prefix, const RepointOptions& options) {
  TRY(require_changeable(repository));
  TRY_ASSIGN(const auto info, repository.info());
  RepositoryConfig config = info->config.value_or(RepositoryConfig());
  const auto containers = config.containers();
  const auto found = std::ranges::find(containers, name, &VirtualContainer::name);
  if (found == containers.end()) {
    return core::Error(core::ErrorCode::kNotFound, "repoint: there is no container " + name);
  }
  const std::string before = found->url_prefix;
  TRY_ASSIGN(const auto container, container_at(name, url_prefix, options));
  TRY(config.set_container(container));
  if (options.dry_run) return before;
  TRY(save_config(repository, config));
  return before;
}

}  // namespace icefield::icechunk
