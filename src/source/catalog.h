#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "dataset/virtual_config.h"
#include "object_store/object_store.h"

namespace icefield::source {

/// `PREFIX=URL`: objects whose canonical URL starts with PREFIX are read below URL.
struct SourceOverride {
  std::string prefix;  // "s3://noaa-hrrr-bdp-pds/", ends in '/'
  std::string url;     // "file:///data/noaa-hrrr-bdp-pds/", ends in '/'
  friend bool operator==(const SourceOverride&, const SourceOverride&) = default;
};

/// Reads one override. Missing final slashes are added; a plain path becomes a file URL.
/// Errors: kInvalidArgument, naming the text.
core::Result<SourceOverride> parse_source_override(std::string_view text);

/// Where one container of a dataset is read from in this process.
struct SourceLocation {
  const dataset::Container* container = nullptr;     // of the spec: static storage
  std::string url;                                   // its own prefix, or what an override says
  bool redirected = false;                           // an override applies
  std::shared_ptr<object_store::ObjectStore> store;  // its root is `url`
};

/// An object of a source: its location and its key there.
struct SourceObject {
  const SourceLocation* location = nullptr;  // lives as long as the catalog
  object_store::Key key;
};

/// The containers of one dataset, opened. Immutable; any thread may use it.
class Catalog {
 public:
  /// Errors: kInvalidArgument for an override that matches no container, two of one container
  /// that differ, or a folder that cannot be read; kUnsupported for a scheme that no store here
  /// has.
  static core::Result<Catalog> open(const dataset::VirtualConfig& config,
                                    std::span<const SourceOverride> overrides);

  /// The object of a canonical URL ("s3://noaa-hrrr-bdp-pds/hrrr.20250801/..."); the container
  /// with the longest matching prefix wins. Errors: kInvalidArgument when none matches.
  core::Result<SourceObject> find(std::string_view url) const;

  const std::vector<SourceLocation>& locations() const noexcept { return locations_; }

 private:
  std::vector<SourceLocation> locations_;
};

}  // namespace icefield::source
