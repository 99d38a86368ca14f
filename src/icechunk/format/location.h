#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/result.h"
#include "icechunk/format/virtual_container.h"

namespace icefield::icechunk {

/// Where a virtual chunk is, in terms of a container's store.
struct ResolvedLocation {
  const VirtualContainer* container = nullptr;  // into the span that was given
  std::string url = {};                         // absolute, vcc:// expanded
  std::string bucket =
      {};  // the URL's host: bucket, account's container, or host and port; empty: file
  /// The URL's path without leading '/', percent-decoded once. For file: the absolute path.
  std::string key = {};
};

/// Finds the container and object of a location: vcc://NAME/PATH is expanded by name, an absolute
/// URL belongs to the container with the longest prefix of it; scheme aliases (gs = gcs,
/// az = azure = abfs) count as equal. No authorisation is checked here.
/// Errors: kNotFound when no container matches, naming the location; kInvalidArgument for text
/// that is no URL; kUnsupported for keys with empty, `.` or `..` segments outside S3.
core::Result<ResolvedLocation> resolve_location(std::string_view location,
                                                std::span<const VirtualContainer> containers);

/// The one spelling under which a location is stored: lower-case scheme, aliases written as the
/// container's prefix writes them, file URLs normalised; a location in a named container becomes
/// vcc://NAME/PATH when `form` asks for it. Errors: as resolve_location.
enum class LocationForm { kAsGiven, kRelative };
core::Result<std::string> canonical_location(std::string_view location,
                                             std::span<const VirtualContainer> containers,
                                             LocationForm form);

/// A vcc:// location's container name and path; both empty when it is none.
struct RelativeLocation {
  std::string_view container = {};
  std::string_view path = {};
};
RelativeLocation split_relative(std::string_view location);

}  // namespace icefield::icechunk
