#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace icefield::object_store {

/// Which entries of a folder count.
enum class EntryFilter { kObjectsAndFolders, kTemporaryFilesAndFolders };

/// Names in one folder, sub-folders with a '/' behind, sorted by bytes of that text: the order in
/// which the keys below them come.
struct FolderNames {
  std::vector<std::string> names;
  bool more = false;  // there are greater ones
};

/// The first `limit` names that are greater than `after` and start with `start`.
/// A folder that does not exist has none. Errors: kPermissionDenied, kUnavailable.
core::Result<FolderNames> read_names(const std::string& folder, std::string_view start,
                                     std::string_view after, EntryFilter filter, std::size_t limit);

}  // namespace icefield::object_store
