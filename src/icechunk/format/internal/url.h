#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace icefield::icechunk::internal {

/// The parts of scheme://authority/path?query#fragment, as they are written but for the scheme.
struct Url {
  std::string scheme = {};     // lower case
  std::string authority = {};  // host and port; empty for files
  std::string path = {};       // with its leading '/', or empty
  std::string suffix = {};     // query and fragment, with their '?' or '#'
};

/// Nothing when the text has no scheme, or no `://` after it.
std::optional<Url> split_url(std::string_view text);

/// The one name of a scheme's aliases: gs for gcs, az for azure and abfs; others as they are.
std::string_view canonical_scheme(std::string_view scheme);

/// %XX replaced by its byte, once; a % that two hex digits do not follow stays.
std::string percent_decoded(std::string_view text);

/// Everything that a URL's path may not hold replaced by %XX, '/' kept.
std::string percent_encoded_path(std::string_view path);

/// True when a segment between '/' is `.` or `..`.
bool has_dot_segment(std::string_view path);

/// True when a segment is empty, `.` or `..`; a leading '/' makes none.
bool has_odd_segment(std::string_view path);

/// An absolute path with `.` and `..` resolved; `..` at the root stays there.
std::string resolved_path(std::string_view path);

}  // namespace icefield::icechunk::internal
