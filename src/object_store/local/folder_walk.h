#pragma once

#include <functional>
#include <string>

#include "core/result.h"
#include "object_store/object_store.h"

namespace icefield::object_store {

/// Lists the files below `root` as ObjectStore::list says, following links, without temporary
/// files and without folders that hold no object. Memory does not grow with the number of files
/// in a folder: names are read in several passes when there are many.
/// Files that vanish meanwhile are left out. Errors: kPermissionDenied, kUnavailable.
core::Status walk_folder(const std::string& root, const ListOptions& options,
                         const std::function<bool(const ListPage&)>& visit);

/// Deletes temporary files below `root` that were last written before `older_than` and that no
/// process has locked; gives how many.
core::Result<std::size_t> remove_temporary_files(const std::string& root, core::Instant older_than);

}  // namespace icefield::object_store
