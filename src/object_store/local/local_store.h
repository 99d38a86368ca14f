#pragma once

#include <memory>
#include <string>

#include "core/result.h"
#include "object_store/local/pending_file.h"
#include "object_store/object_store.h"

namespace icefield::object_store {

/// Objects as files below a folder. `root` is a path (completed by the working directory; links
/// are followed); it need not exist, the first put makes it.
///
/// Conditional puts hold between processes of this library: replacing takes a lock on the object's
/// own folder, creating is one link. Readers never lock and never see a part of an object. A copy
/// is a hard link, since no file is ever changed in place. Names that end in '#' and digits are
/// temporary files: no key may have them, no listing shows them, remove_leftovers deletes them.
/// A file system has no key `k` beside a key `k/x`: the second of the two is kInvalidArgument.
/// Folders that become empty are removed; the root stays.
/// Errors: kInvalidArgument when root is not a possible path.
core::Result<std::unique_ptr<ObjectStore>> make_local_store(
    const std::string& root, Durability durability = Durability::kProcess);

}  // namespace icefield::object_store
