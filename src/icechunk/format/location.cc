#include "icechunk/format/location.h"

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/text.h"
#include "icechunk/format/internal/url.h"

namespace icefield::icechunk {
namespace {

constexpr std::string_view kRelativeScheme = "vcc://";

core::Error invalid(std::string_view location, std::string_view why) {
  return core::Error(core::ErrorCode::kInvalidArgument,
                     core::text("location \"", location, "\": ", why));
}

core::Error no_container(std::string_view location) {
  return core::Error(core::ErrorCode::kNotFound,
                     core::text("no virtual chunk container for location \"", location, "\""));
}

bool is_relative(std::string_view location) {
  const auto url = internal::split_url(location.substr(0, kRelativeScheme.size()));
  return url && url->scheme == "vcc";
}

const VirtualContainer* find_named(std::span<const VirtualContainer> containers,
                                   std::string_view name) {
  for (const VirtualContainer& one : containers) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

/// The URL that a location stands for.
core::Result<std::string> expanded(std::string_view location,
                                   std::span<const VirtualContainer> containers) {
  if (!is_relative(location)) return std::string(location);
  const RelativeLocation relative = split_relative(location);
  const VirtualContainer* const named = find_named(containers, relative.container);
  if (named == nullptr) return no_container(location);
  return named->url_prefix + std::string(relative.path);
}

/// What prefixes are compared with: percent-decoded, aliases of the scheme as one.
std::string comparable(const internal::Url& url) {
  return core::text(internal::canonical_scheme(url.scheme), "://", url.authority,
                    internal::percent_decoded(url.path + url.suffix));
}

/// The URL with its path resolved when it names a file: what is compared must be what is opened.
core::Result<internal::Url> parsed(std::string_view text) {
  auto url = internal::split_url(text);
  if (!url) return invalid(text, "no URL");
  if (url->scheme == "file") {
    if (!url->authority.empty() && url->authority != "localhost") {
      return invalid(text, "a file on another host");
    }
    url->authority.clear();
    url->suffix.clear();
    url->path = internal::percent_encoded_path(
        internal::resolved_path(internal::percent_decoded(url->path)));
    return *std::move(url);
  }
  if (url->authority.empty()) return invalid(text, "no host");
  return *std::move(url);
}

/// The container with the longest prefix of the URL, or nullptr.
const VirtualContainer* find_container(const internal::Url& url,
                                       std::span<const VirtualContainer> containers) {
  const std::string whole = comparable(url);
  const VirtualContainer* best = nullptr;
  std::size_t longest = 0;
  for (const VirtualContainer& one : containers) {
    const auto prefix_url = internal::split_url(one.url_prefix);
    if (!prefix_url) continue;
    const std::string prefix = core::text(internal::canonical_scheme(prefix_url->scheme), "://",
                                          prefix_url->authority, prefix_url->path);
    if (whole.starts_with(prefix) && (best == nullptr || prefix.size() > longest)) {
      best = &one;
      longest = prefix.size();
    }
  }
  return best;
}

}  // namespace

RelativeLocation split_relative(std::string_view location) {
  if (!is_relative(location)) return {};
  location.remove_prefix(kRelativeScheme.size());
  const std::size_t slash = location.find('/');
  if (slash == std::string_view::npos) return {.container = location};
  return {.container = location.substr(0, slash), .path = location.substr(slash + 1)};
}

core::Result<ResolvedLocation> resolve_location(std::string_view location,
                                                std::span<const VirtualContainer> containers) {
  TRY_ASSIGN(const std::string absolute, expanded(location, containers));
  TRY_ASSIGN(const auto url, parsed(absolute));
  ResolvedLocation made{.container = find_container(url, containers)};
  if (made.container == nullptr) return no_container(location);
  made.url = core::text(url.scheme, "://", url.authority, url.path, url.suffix);
  made.bucket = url.authority;
  made.key = internal::percent_decoded(url.path);
  if (made.container->kind == StoreKind::kLocal) return made;  // the key is the absolute path
  if (made.key.starts_with('/')) made.key.erase(0, 1);
  const bool any_key = made.container->kind == StoreKind::kS3 ||
                       made.container->kind == StoreKind::kS3Compatible ||
                       made.container->kind == StoreKind::kTigris;
  if (!any_key && internal::has_odd_segment(made.key)) {
    return core::Error(
        core::ErrorCode::kUnsupported,
        core::text("location \"", location, "\": a key with an empty, . or .. segment outside S3"));
  }
  return made;
}

core::Result<std::string> canonical_location(std::string_view location,
                                             std::span<const VirtualContainer> containers,
                                             LocationForm form) {
  if (is_relative(location)) {
    const RelativeLocation relative = split_relative(location);
    if (relative.path.empty()) return invalid(location, "no path below its container");
    if (find_named(containers, relative.container) == nullptr) return no_container(location);
    return core::text(kRelativeScheme, relative.container, "/", relative.path);
  }
  TRY_ASSIGN(const auto url, parsed(location));
  const VirtualContainer* const container = find_container(url, containers);
  if (container == nullptr) return no_container(location);
  const auto prefix = internal::split_url(container->url_prefix);
  std::string stored = core::text(prefix->scheme, "://", url.authority, url.path, url.suffix);
  const bool is_file = container->kind == StoreKind::kLocal;  // its path is encoded by now
  const std::string written_prefix =
      core::text(prefix->scheme, "://", prefix->authority,
                 is_file ? internal::percent_encoded_path(prefix->path) : prefix->path);
  const bool relative = form == LocationForm::kRelative && container->name.has_value() &&
                        stored.starts_with(written_prefix);
  if (!relative) return stored;
  return core::text(kRelativeScheme, *container->name, "/",
                    std::string_view(stored).substr(written_prefix.size()));
}

}  // namespace icefield::icechunk
