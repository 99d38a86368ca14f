#include "source/catalog.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/text.h"
#include "object_store/open.h"

namespace icefield::source {
namespace {

using core::Error;
using core::ErrorCode;

constexpr std::string_view kFileScheme = "file://";

std::string with_final_slash(std::string_view text) {
  return text.ends_with('/') ? std::string(text) : std::string(text) + "/";
}

/// The path as a URL: every octet that is not unreserved or '/' is percent-encoded.
std::string file_url(const std::filesystem::path& path) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  constexpr std::string_view kPlain = "/-._~";
  std::string url(kFileScheme);
  for (const char c : path.lexically_normal().string()) {
    const auto octet = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       kPlain.find(c) != std::string_view::npos;
    if (plain) {
      url += c;
    } else {
      url += {'%', kDigits[octet >> 4U], kDigits[octet & 0xFU]};
    }
  }
  return url;
}

/// The folder of a store on local disk; empty for others.
std::string folder_of(const object_store::ObjectStore& store) {
  const std::string& url = store.location();
  if (!url.starts_with(kFileScheme)) return {};
  std::string path;
  for (std::size_t at = kFileScheme.size(); at < url.size(); ++at) {
    if (url[at] == '%' && at + 2 < url.size()) {
      path += static_cast<char>(std::stoi(url.substr(at + 1, 2), nullptr, 16));
      at += 2;
    } else {
      path += url[at];
    }
  }
  return path;
}

core::Result<SourceLocation> open_location(const dataset::Container& container,
                                           std::span<const SourceOverride> overrides) {
  SourceLocation location{.container = &container,
                          .url = std::string(container.url_prefix),
                          .redirected = false,
                          .store = nullptr};
  const auto found =
      std::ranges::find(overrides, std::string(container.url_prefix), &SourceOverride::prefix);
  if (found != overrides.end()) {
    location.url = found->url;
    location.redirected = true;
  }
  // Provider archives are public: nothing here may look for credentials.
  object_store::OpenOptions options;
  options.access = object_store::Access::kAnonymous;
  if (!location.redirected) options.region = container.region;
  auto store = object_store::open_store(location.url, options);
  if (!store) {
    return std::move(store).error().within(core::text("source ", container.url_prefix));
  }
  location.store = *std::move(store);
  const auto folder = folder_of(*location.store);
  std::error_code failed;
  if (!folder.empty() && !std::filesystem::is_directory(folder, failed)) {
    return Error(
        ErrorCode::kInvalidArgument,
        core::text("the source folder ", folder, " of ", container.url_prefix, " cannot be read (",
                   failed ? failed.message() : std::string("it is no folder"),
                   "); correct --source, or make a sample with 'icefield "
                   "sample-source'"));
  }
  return location;
}

}  // namespace

core::Result<SourceOverride> parse_source_override(std::string_view text) {
  const auto equals = text.find('=');
  const auto prefix = text.substr(0, equals);
  if (equals == std::string_view::npos || prefix.find("://") == std::string_view::npos ||
      equals + 1 == text.size()) {
    return Error(ErrorCode::kInvalidArgument,
                 core::text("'", text, "' is not a source of the form PREFIX=URL, such as ",
                            "s3://noaa-hrrr-bdp-pds/=file:///data/noaa-hrrr-bdp-pds/"));
  }
  const auto url = text.substr(equals + 1);
  SourceOverride parsed{.prefix = with_final_slash(prefix), .url = with_final_slash(url)};
  if (url.find("://") == std::string_view::npos) {
    std::error_code failed;
    const auto path = std::filesystem::absolute(std::string(url), failed);
    if (failed) {
      return Error(ErrorCode::kInvalidArgument,
                   core::text("'", text, "' is relative to a working directory that cannot be ",
                              "read (", failed.message(), "); give the whole path"));
    }
    parsed.url = with_final_slash(file_url(path));
  }
  return parsed;
}

core::Result<Catalog> Catalog::open(const dataset::VirtualConfig& config,
                                    std::span<const SourceOverride> overrides) {
  for (const auto& one : overrides) {
    const auto same = [&one](const auto& other) {
      return other.prefix == one.prefix && other.url != one.url;
    };
    if (std::ranges::any_of(overrides, same)) {
      return Error(ErrorCode::kInvalidArgument,
                   core::text("the source ", one.prefix, " is given twice with different URLs; ",
                              "keep one --source for it"));
    }
    const bool known = std::ranges::any_of(config.containers, [&](const auto& container) {
      return container.url_prefix == one.prefix;
    });
    if (known) continue;
    std::vector<std::string> prefixes;
    for (const auto& container : config.containers) prefixes.emplace_back(container.url_prefix);
    return Error(ErrorCode::kInvalidArgument,
                 core::text("the dataset has no source ", one.prefix,
                            "; it reads from: ", core::join(prefixes, ", ")));
  }
  Catalog catalog;
  for (const auto& container : config.containers) {
    TRY_ASSIGN(auto location, open_location(container, overrides));
    catalog.locations_.push_back(std::move(location));
  }
  return catalog;
}

core::Result<SourceObject> Catalog::find(std::string_view url) const {
  const SourceLocation* best = nullptr;
  for (const auto& location : locations_) {
    const auto prefix = location.container->url_prefix;
    if (!url.starts_with(prefix)) continue;
    if (best == nullptr || prefix.size() > best->container->url_prefix.size()) best = &location;
  }
  if (best == nullptr) {
    return Error(ErrorCode::kInvalidArgument,
                 core::text(url, " is in none of the dataset's source containers"));
  }
  return SourceObject{
      .location = best,
      .key = object_store::Key(std::string(url.substr(best->container->url_prefix.size())))};
}

}  // namespace icefield::source
